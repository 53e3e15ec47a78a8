// Runs at the start of every document, in a script world of our own: the page sees none of it, and its own scripts stay
// off. It watches what fails from the beginning; `offstage.ready()` is called once the document has loaded.
'use strict';
globalThis.offstage = (() => {
  const blocked = new Set();
  const broken = new Set();

  document.addEventListener('securitypolicyviolation', (event) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(event.blockedURI)) blocked.add(event.blockedURI);
  });

  // Error events do not bubble, but they are captured.
  document.addEventListener('error', ({ target }) => {
    const url = target.currentSrc || target.src || target.href || target.data;
    if (typeof url === 'string' && url) (isLocal(url) ? broken : blocked).add(url);
  }, true);

  const isLocal = (url) => /^(offstage|data|blob|about):/.test(url);

  // Style and layout now: this is what starts the loading of fonts and of CSS images.
  const layOut = () => document.documentElement?.getBoundingClientRect();

  // The document and those in its frames. All have our origin or none.
  function documents() {
    const all = [document];
    for (const one of all) {
      for (const frame of one.querySelectorAll('iframe, frame, object')) {
        if (frame.contentDocument) all.push(frame.contentDocument);
      }
    }
    return all;
  }

  const fonts = () => documents().flatMap((one) => [...one.fonts]);
  const family = (font) => font.family.replace(/^["']|["']$/g, '');

  // URLs of CSS images that the document may show. They load outside the window's load event when style is computed
  // after it, and nothing tells when they have arrived; an Image of the same URL joins the same load and does tell.
  function styleImages() {
    const urls = new Set();
    const take = (text, base) => {
      for (const [, , url] of chosen(text).matchAll(/url\((["']?)(.*?)\1\)/g)) {
        if (url && !url.startsWith('#')) urls.add(new URL(url.replace(/\\(.)/g, '$1'), base).href);
      }
    };
    for (const one of documents()) {
      const walk = (rules, base) => {
        for (const rule of rules) {
          if (rule.styleSheet) {
            visit(rule.styleSheet);
          } else if (rule.type !== CSSRule.FONT_FACE_RULE && rule.cssText.includes('url(')) {
            if (rule.style && isUsed(rule.selectorText, one)) take(rule.style.cssText, base);
            if (rule.cssRules && applies(rule)) walk(rule.cssRules, base);
          }
        }
      };
      const visit = (sheet) => {
        let rules;
        try { rules = sheet.cssRules; } catch { return; }
        walk(rules, sheet.href ?? one.baseURI);
      };
      for (const sheet of one.styleSheets) {
        const text = sheet.href ? '@import' : sheet.ownerNode?.textContent ?? '';
        if (/url\(|image-set\(|@import/i.test(text)) visit(sheet);
      }
      for (const element of one.querySelectorAll('[style*="url("]')) take(element.style.cssText, one.baseURI);
    }
    return urls;
  }

  // CSS text with each image-set() replaced by the candidate that WebKit takes: the first that is fine enough for the
  // device scale factor, else the finest. The others are not fetched, and not missed.
  const chosen = (text) => text.replace(/image-set\(((?:[^()"]|"[^"]*"|\((?:"[^"]*"|[^()"])*\))*)\)/g, (whole, list) => {
    const candidates = [...list.matchAll(/(url\("[^"]*"\))(?:\s+([\d.]+)(x|dppx|dpi|dpcm))?/g)].map(([, url, number, unit]) => {
      const dots = { dpi: 96, dpcm: 96 / 2.54 }[unit] ?? 1;
      return { url, scale: number ? number / dots : 1 };
    });
    candidates.sort((one, other) => one.scale - other.scale);
    const best = candidates.find(({ scale }) => scale >= devicePixelRatio) ?? candidates.at(-1);
    return best?.url ?? '';
  });

  const applies = (rule) => !rule.media || matchMedia(rule.media.mediaText).matches;

  // Whether a rule has an element in the document; what cannot be asked (nested selectors) counts as used.
  function isUsed(selector, one) {
    if (!selector || selector.includes('&')) return true;
    try {
      return one.querySelector(selector.replace(/::[\w-]+(\([^)]*\))?|:(before|after)\b/g, '')) !== null;
    } catch {
      return true;
    }
  }

  const arrival = (image) => image.complete
    ? null
    : new Promise((resolve) => {
        image.addEventListener('load', resolve);
        image.addEventListener('error', resolve);
      });

  let pending = new Map();

  async function settle(items) {
    pending = new Map(items.filter(([, promise]) => promise));
    await Promise.allSettled([...pending].map(([name, promise]) => promise.finally(() => pending.delete(name))));
  }

  // Animations stand at their end; those without one at their start, SVG's own too. Asked only of documents that have
  // some: a document that was asked for its animations stays in WebKit's memory, some 35 KB each.
  function endAnimations() {
    for (const one of documents()) {
      if (mayMove(one)) {
        for (const animation of one.getAnimations()) {
          try {
            animation.finish();
          } catch {
            animation.pause();
            animation.currentTime = 0;
          }
        }
      }
      for (const svg of new Set([...one.querySelectorAll(svgAnimations)].map((element) => element.ownerSVGElement))) {
        svg?.pauseAnimations();
        svg?.setCurrentTime(0);
      }
    }
  }

  const svgAnimations = 'animate, animateMotion, animateTransform, set';
  const movingStyle = /animation|transition/i;

  const mayMove = (one) => [...one.styleSheets].some((sheet) => sheet.href
    || movingStyle.test(sheet.ownerNode?.textContent) || /@import/i.test(sheet.ownerNode?.textContent))
    || one.querySelector('[style*="animation" i], [style*="transition" i]') !== null;

  async function ready() {
    layOut();
    const extra = [];
    for (const url of styleImages()) {
      const image = new Image();
      image.src = url;
      extra.push(image);
    }
    // A font that arrives can bring others into use (unicode-range), so again until none is under way.
    let images = [...documents().flatMap((one) => [...one.images]), ...extra];
    for (;;) {
      const items = [
        ...images.map((image) => [image.currentSrc || image.src, arrival(image)]),
        ...fonts().filter((font) => font.status === 'loading').map((font) => [`font ${family(font)}`, font.loaded]),
      ];
      if (!items.some(([, promise]) => promise)) break;
      await settle(items);
      images = [];
      layOut();
    }
    endAnimations();
    return report();
  }

  // What there is now; also the answer when the deadline passes before `ready` has come to its end.
  function report() {
    layOut();
    const root = document.documentElement;
    const late = [...pending.keys()];
    if (document.readyState !== 'complete') {
      for (const image of document.images) if (!image.complete) late.push(image.currentSrc || image.src);
      if (!late.length) late.push('the document');
    }
    return JSON.stringify({
      url: location.href,
      width: Math.max(root.scrollWidth, innerWidth),
      height: contentHeight(root),
      late: [...new Set(late)],
      blocked: [...blocked],
      broken: [...broken],
      brokenFonts: [...new Set(fonts().filter((font) => font.status === 'error').map(family))],
    });
  }

  // CSS px. Where the content is lower than the viewport, scrollHeight is the viewport's; then the lowest edge counts.
  function contentHeight(root) {
    const scrolled = Math.max(root.scrollHeight, document.compatMode === 'BackCompat' ? document.body?.scrollHeight ?? 0 : 0);
    if (scrolled > innerHeight) return scrolled;
    let lowest = 0;
    const visit = (element) => {
      const style = getComputedStyle(element);
      if (style.display === 'none') return;
      const { bottom } = element.getBoundingClientRect();
      const margin = element === document.body || element === root ? parseFloat(style.marginBottom) || 0 : 0;
      lowest = Math.max(lowest, bottom + scrollY + margin);
      if (style.overflowY !== 'visible' && element !== root && element !== document.body) return;
      for (const child of element.children) visit(child);
    };
    visit(root);
    return Math.min(scrolled, Math.ceil(lowest));
  }

  return { ready, report };
})();
