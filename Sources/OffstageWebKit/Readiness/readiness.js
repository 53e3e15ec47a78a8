// Runs at the start of every document, in a script world of our own: the page sees none of it, and its own scripts stay
// off. It watches what fails from the beginning; `offstage.ready()` is called once the document has loaded.
'use strict';
globalThis.offstage = (() => {
  const blocked = new Set();
  const broken = new Set();

  function watch() {
    document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
      // Of a frame's address it tells the origin only; `report` has the whole.
      if (/^[a-z][a-z0-9+.-]*:/i.test(blockedURI) && effectiveDirective !== 'frame-src') blocked.add(blockedURI);
    });

    // Error events do not bubble, but they are captured.
    document.addEventListener('error', ({ target }) => {
      const url = target.currentSrc || target.src || target.href || target.data;
      if (typeof url === 'string' && url) (isLocal(url) ? broken : blocked).add(url);
    }, true);

    watchElements();
  }

  // What has too many elements would be laid out for minutes, while it is parsed and for its load event: so they are counted before, and
  // the parser goes on in a tree of its own, which is not laid out.
  function watchElements() {
    const most = globalThis.offstageMostElements ?? 500000;
    let timer;
    let root = null;
    function check() {
      if (elements() > most) {
        root = document.documentElement;
        excess = elements();
        root?.remove();
      } else if (document.readyState === 'loading') {
        timer = setTimeout(check, 100);
      }
    }
    excess = 0;
    document.addEventListener('readystatechange', () => {
      clearTimeout(timer);
      if (root) excess = 1 + root.getElementsByTagName('*').length;
      else check();
    }, { once: true });
    timer = setTimeout(check, 100);
  }

  // How many elements were too many.
  let excess = 0;

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

  const mayMove = (one) => mayStyle(one, movingStyle, '[style*="animation" i], [style*="transition" i]');

  // Whether a document's style has a word, as far as that can be seen without its rules.
  const mayStyle = (one, word, inline) => one.adoptedStyleSheets.length > 0
    || [...one.styleSheets].some((sheet) => sheet.href
      || word.test(sheet.ownerNode?.textContent) || /@import/i.test(sheet.ownerNode?.textContent))
    || one.querySelector(inline) !== null;

  // A style's URL that leads somewhere, or a way to hide one.
  const mayRefuse = (one) => mayStyle(one,
    /url\(\s*(?!["']?(?:data:|#))|image-set|\\/i,
    '[background], [style*="url(" i], [style*="image-set" i], [style*="\\\\"]');

  // What would be laid out only once it is scrolled to is laid out now.
  function showAll() {
    for (const one of documents()) {
      if (!mayStyle(one, /content-visibility/i, '[style*="content-visibility" i]')) continue;
      for (const element of one.querySelectorAll('*')) {
        if (getComputedStyle(element).contentVisibility === 'auto') {
          element.style.setProperty('content-visibility', 'visible', 'important');
        }
      }
    }
  }

  // A page that is made by its scripts says on its root when it is not finished yet, and when it is.
  const isHeld = () => document.documentElement?.dataset.offstage === 'wait';

  const signal = () => new Promise((resolve) => {
    const check = () => {
      if (isHeld()) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(check);
    observer.observe(document, { attributes: true, childList: true, subtree: true, attributeFilter: ['data-offstage'] });
    check();
  });

  // Resolves to the report once all is there. The question is a `Readiness.Question`; what stands in the document tells
  // `content`, where that is asked.
  async function ready(question, content) {
    if (question.awaitsSignal) await signal();
    const count = elements();
    if (count > question.mostElements) return tooMany(count);
    globalThis.offstageEmulation?.apply();
    showAll();
    layOut();
    // A font that arrives can bring others into use (unicode-range), so again until none is under way.
    let images = documents().flatMap((one) => [...one.images]);
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
    // The policy's word about a font, a style's image or a script's request comes as an event of its own, after it was given up.
    if (question.awaitsSignal || fonts().some((font) => font.status !== 'loaded') || documents().some(mayRefuse)) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    return report(question, content);
  }

  // Puts another document into the place of this one, which has left no trace; resolves to its report once all is there.
  async function rewrite(html, question, content) {
    blocked.clear();
    broken.clear();
    // Takes all listeners away, ours too.
    document.open();
    watch();
    const loaded = new Promise((resolve) => addEventListener('load', resolve));
    document.write(html);
    document.close();
    layOut();
    if (document.readyState !== 'complete') await loaded;
    return ready(question, content);
  }

  // Whether a document may have changed what the next one in its place would find: policies, style sheet sets, the focus, the
  // scroll position, frames, fonts.
  const leavesTraces = () => scrollX !== 0 || scrollY !== 0 || document.fonts.size > 0 || document.querySelector(
    'link, base, meta[http-equiv], style[title], script, template, [autofocus], iframe, frame, frameset, object, embed, '
    + 'applet, audio, video, marquee') !== null;

  // Counting takes a microsecond for a hundred elements, and WebKit remembers it.
  const elements = () => excess || documents().reduce((sum, one) => sum + one.getElementsByTagName('*').length, 0);

  // A report of a document that is not to be laid out.
  const tooMany = (count) => JSON.stringify({
    url: location.href, width: 0, height: 0, isLoading: false, leavesTraces: true, lacksReadySignal: false,
    late: [], blocked: [], broken: [], brokenFonts: [], loadedFonts: [], elements: count,
    imagePixels: { files: {}, others: 0 },
  });

  // What there is now; also the answer when the deadline passes before `ready` has come to its end.
  async function report(question, content) {
    const measuring = offstageImages.measure(documents(), question);
    if (measuring) await measuring;
    return describe(question, content);
  }

  function describe(question, content) {
    const root = document.documentElement ?? document.appendChild(document.createElement('html'));
    if (question.shrinksToFit) root.style.setProperty('width', 'fit-content', 'important');
    layOut();
    const late = [...pending.keys()];
    if (document.readyState !== 'complete') {
      for (const image of document.images) if (!image.complete) late.push(image.currentSrc || image.src);
      for (const font of fonts()) if (font.status === 'loading') late.push(`font ${family(font)}`);
    }
    for (const one of documents()) {
      for (const { src } of one.querySelectorAll('iframe[src], frame[src]')) if (!isLocal(src)) blocked.add(src);
    }
    return JSON.stringify({
      url: location.href,
      width: Math.max(root.scrollWidth, innerWidth),
      height: contentHeight(root),
      canvas: question.asksCanvas ? canvas(root) : undefined,
      isLoading: document.readyState !== 'complete',
      leavesTraces: leavesTraces(),
      lacksReadySignal: question.awaitsSignal && isHeld(),
      fit: question.shrinksToFit ? box(root) : undefined,
      parts: question.selector ? parts(question.selector) : undefined,
      content: content?.(question.selector),
      late: [...new Set(late)],
      // WebKit takes the attribute srcdoc away where page scripts are off: what is left is a frame without a document. Where they
      // run, they await a signal.
      blocked: [...blocked, ...(!question.awaitsSignal && document.querySelector('iframe:not([src])') ? ['about:srcdoc'] : [])],
      broken: [...broken],
      brokenFonts: [...new Set(fonts().filter((font) => font.status === 'error').map(family))],
      elements: elements(),
      imagePixels: offstageImages.pixels(documents(), question),
      loadedFonts: [...new Set(fonts().filter((font) => font.status === 'loaded').map(family))],
    });
  }

  // What stands behind a document that has no background: by its root's colour scheme.
  function canvas(root) {
    const probe = document.createElementNS('http://www.w3.org/1999/xhtml', 'i');
    probe.style.setProperty('color', 'Canvas', 'important');
    probe.style.setProperty('display', 'none', 'important');
    root.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }

  function box(element) {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width, height };
  }

  function parts(selector) {
    try {
      return [...document.querySelectorAll(selector)].map(box);
    } catch {
      return undefined;
    }
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

  watch();
  return { ready, rewrite, report, documents };
})();
