// Runs at the start of every document, in Offstage's script world. The page cannot see this world, and its own scripts remain
// disabled. Watches for failures from the beginning; Offstage calls `offstage.ready()` once the document has loaded.
'use strict';
globalThis.offstage = (() => {
  const { get, call, find, rectangle, children } = offstageDOM;
  const { still, mayStyle } = offstageStill;
  const blocked = new Set();
  const broken = new Set();

  // The maximum number of elements, for a document that was loaded without a question.
  const mostByDefault = globalThis.offstageMostElements ?? 500000;

  function watch(mostElements, isVast = false) {
    call(document, 'addEventListener', 'securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
      // For a frame or an object, the event reports only the origin; `describe` reports the full URL.
      if (/^(?!offstage-)[a-z][a-z0-9+.-]*:/i.test(blockedURI) && !/^(?:frame|object)-src$/.test(effectiveDirective)) refuse(blockedURI);
    });

    // Error events do not bubble, but they can be captured.
    call(document, 'addEventListener', 'error', ({ target }) => {
      // Media are reported by `media.js`.
      if (get(target, 'networkState') !== undefined || target.localName === 'source' || target.localName === 'track') return;
      const url = ['currentSrc', 'src', 'href', 'data'].map((name) => get(target, name)).map((one) => one?.baseVal ?? one).find(Boolean);
      if (typeof url === 'string') fail(absolute(url));
    }, true);

    offstageHeight.reset();
    if (isVast) conceal();
    watchElements(mostElements);
  }

  // A document with too many elements would take minutes to lay out, during parsing and at its load event. So this counts them
  // earlier, takes the tree out of the document, and ends loading.
  function watchElements(most) {
    let timer;
    let root = null;
    function check() {
      if (elements() > most) {
        root = get(document, 'documentElement');
        excess = elements();
        if (root) call(root, 'remove');
        // Don't stop while XML is parsed, because the process would crash.
        if (get(document, 'readyState') === 'loading' && get(document, 'contentType') === 'text/html') stop();
      } else if (get(document, 'readyState') === 'loading') {
        timer = setTimeout(check, 100);
      }
    }
    excess = 0;
    call(document, 'addEventListener', 'readystatechange', () => {
      clearTimeout(timer);
      reveal();
      if (root) excess = 1 + call(root, 'getElementsByTagName', '*').length;
      else check();
    }, { once: true });
    timer = setTimeout(check, 100);
  }

  // WebKit lays out a document repeatedly while parsing it. With some 100,000 elements, each layout takes seconds and delays the
  // count. So a vast document has no layout until it is parsed.
  let cover = null;

  function conceal() {
    cover = new CSSStyleSheet();
    cover.insertRule(':root { display: none !important }');
    offstageDOM.set(document, 'adoptedStyleSheets', [cover]);
  }

  function reveal() {
    if (!cover) return;
    offstageDOM.set(document, 'adoptedStyleSheets', [...get(document, 'adoptedStyleSheets')].filter((sheet) => sheet !== cover));
    cover = null;
  }

  // The number of elements, if it is above the maximum.
  let excess = 0;

  const absolute = (url) => URL.parse(url, get(document, 'baseURI'))?.href ?? url;
  const refuse = (url) => blocked.add(url.split('#')[0]);
  const fail = (url) => { if (isLocal(url)) broken.add(url); else refuse(url); };
  const isLocal = (url) => /^(offstage|data|blob|about):/.test(url);

  const layOut = () => offstageStill.layOut(document);

  // The document and those in its frames. All of them have our origin or none.
  function documents() {
    const all = [document];
    for (const one of all) {
      for (const frame of find(one, 'iframe, frame, object')) {
        const inner = get(frame, 'contentDocument');
        if (inner) all.push(inner);
      }
    }
    return all;
  }

  const fonts = () => documents().flatMap((one) => [...get(one, 'fonts')]);
  const family = (font) => font.family.replace(/^["']|["']$/g, '');

  const arrival = (image) => image.complete
    ? null
    : new Promise((resolve) => {
        image.addEventListener('load', resolve);
        image.addEventListener('error', resolve);
      });

  let pending = new Map();
  // Media that have an element in the document but are missing from the picture.
  let unplayed = [];

  async function settle(items) {
    pending = new Map(items.filter(([, promise]) => promise));
    await Promise.allSettled([...pending].map(([name, promise]) => promise.finally(() => pending.delete(name))));
  }

  // True if a style refers to an external URL or may hide such a reference.
  const mayRefuse = (one) => mayStyle(one,
    /url\(\s*(?!["']?(?:data:|#))|image-set|\\/i,
    '[background], [style*="url(" i], [style*="image-set" i], [style*="\\\\"]');

  // Lays out content that WebKit would defer until it is scrolled into view.
  function showAll() {
    for (const one of documents()) {
      if (!mayStyle(one, /content-visibility/i, '[style*="content-visibility" i]')) continue;
      for (const element of find(one, '*')) {
        if (getComputedStyle(element).contentVisibility === 'auto') {
          offstageDOM.styleOf(element).setProperty('content-visibility', 'visible', 'important');
        }
      }
    }
  }

  // A page built by scripts sets `data-offstage="wait"` on its root element, and changes it when it is ready.
  const rootElement = () => get(document, 'documentElement');
  const isHeld = () => rootElement()?.dataset?.offstage === 'wait';

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

  // How the page's scripts ended (clock.js): 'rested', 'unfinished' at the limit of their own clock, or 'late' at the limit of
  // real time.
  let scripts = 'late';

  // Waits until the page rests (clock.js), for at most `most` milliseconds. Resolves at once for a document without a clock.
  const resting = (most) => new Promise((resolve) => {
    let hasClock = false;
    const end = (how) => {
      // Keep the first outcome.
      if (scripts === 'late') scripts = how;
      clearTimeout(timer);
      resolve();
    };
    const hear = (word, callback) => call(document, 'addEventListener', `offstage-${word}`, callback, { once: true });
    const say = (word) => call(document, 'dispatchEvent', new Event(`offstage-${word}`));
    const timer = setTimeout(() => {
      isOver = true;
      say('stop');
      end('late');
    }, most);
    let isOver = false;
    scripts = 'late';
    hear('running', () => { hasClock = true; });
    for (const how of ['rested', 'unfinished']) hear(how, () => { if (!isOver) end(how); });
    say('await');
    if (!hasClock) end('rested');
  });

  // Waits for the scripts, at most once.
  let hasRested = false;
  async function rest({ awaitsSignal, patience, innerHeight: height }) {
    if (!awaitsSignal || hasRested) return '';
    await signal();
    await resting(patience);
    hasRested = true;
    measured = height;
    return '';
  }

  // The height of the viewport in which the document is first measured. Its scripts are at rest and get no `resize` event for it;
  // otherwise they would fit the document into a window that is 1 px high.
  let measured;
  const hush = (event) => { if (innerHeight === measured) event.stopImmediatePropagation(); };
  addEventListener('resize', hush, true);
  globalThis.visualViewport?.addEventListener('resize', hush, true);

  // Resolves to the report once everything has loaded. The question is a `Readiness.Question`. `content` collects the document's
  // content, if the host wants it.
  async function ready(question, content, text) {
    await rest(question);
    const count = elements();
    if (count > question.mostElements) return tooMany(count);
    globalThis.offstageEmulation?.apply();
    if (question.innerHeight && innerHeight !== question.innerHeight) await offstageHeight.reached(question.innerHeight);
    showAll();
    if (question.hasDynamicUnits) offstageViewport.withoutDynamicUnits(offstageImages.roots([document], question.seeksShadowRoots));
    layOut();
    // A font that arrives can cause others to load (unicode-range), so repeat until none is loading.
    const mediaRoots = offstageImages.roots(documents(), question.seeksShadowRoots && question.mayHaveMedia);
    const media = offstageMedia.elements(mediaRoots);
    unplayed = offstageMedia.unplayed(media).filter(isLocal);
    for (const url of offstageMedia.sources(media)) if (!isLocal(url)) refuse(url);
    let images = documents().flatMap((one) => [...get(one, 'images')]);
    let posters = offstageMedia.posters(media, fail);
    for (;;) {
      const items = [
        ...images.map((image) => [image.currentSrc || image.src, arrival(image)]),
        ...posters,
        ...fonts().filter((font) => font.status === 'loading').map((font) => [`font ${family(font)}`, font.loaded]),
      ];
      if (!items.some(([, promise]) => promise)) break;
      await settle(items);
      [images, posters] = [[], []];
      layOut();
    }
    const controls = offstageMedia.layOutControls(media);
    if (controls) await controls;
    const framed = question.mayHaveMedia ? offstageMedia.ofFrames(mediaRoots) : undefined;
    if (framed) for (const one of await framed) noteMedia(one);
    still(offstageImages.roots(documents(), question.seeksShadowRoots));
    if (question.awaitsSignal || fonts().some((font) => font.status !== 'loaded') || documents().some(mayRefuse)) await lastWord();
    for (const url of offstageRefused.refused(offstageImages.roots(documents(), question.seeksShadowRoots), text, isLocal)) refuse(url);
    return report(question, content);
  }

  // Records the media that a frame of another origin reports. From a data URI, a relative URL resolves to nothing, so it cannot
  // lead to another host.
  function noteMedia(told) {
    const isAway = (url) => !isLocal(url) && URL.canParse(url);
    unplayed.push(...told.unplayed.filter((url) => !isAway(url)));
    for (const url of told.sources) if (isAway(url)) refuse(url);
    for (const url of told.broken) if (isAway(url)) refuse(url); else broken.add(url);
  }

  // The policy's event about a font, a style's image or a script's request can arrive after the load has failed. The events
  // arrive in order, so this causes one more, about a dummy image, and waits for it: by then, all earlier ones have arrived.
  const lastWord = () => new Promise((resolve) => {
    const nothing = 'offstage-nothing';
    call(document, 'addEventListener', 'securitypolicyviolation', function hear({ blockedURI }) {
      if (!blockedURI.startsWith(nothing)) return;
      call(document, 'removeEventListener', 'securitypolicyviolation', hear);
      resolve();
    });
    new Image().src = `${nothing}:`;
    setTimeout(resolve, 1000);
  });

  // Replaces this document, which has left no traces, with another one. Resolves to its report once everything has loaded.
  async function rewrite(html, question, content, text) {
    // The previous document may have had another viewport.
    if (question.innerHeight && innerHeight !== question.innerHeight) await offstageHeight.reached(question.innerHeight);
    blocked.clear();
    broken.clear();
    // Removes all listeners, including ours.
    call(document, 'open');
    watch(question.mostElements);
    const loaded = new Promise((resolve) => addEventListener('load', resolve));
    call(document, 'write', html);
    call(document, 'close');
    layOut();
    if (get(document, 'readyState') !== 'complete') await loaded;
    return ready(question, content, text);
  }

  // Counting takes a microsecond for 100 elements, and WebKit caches the result.
  const elements = () => excess || documents().reduce((sum, one) => sum + call(one, 'getElementsByTagName', '*').length, 0);

  // The report of a document that has too many elements to be laid out.
  const tooMany = (count) => JSON.stringify({
    url: location.href, width: 0, height: 0, isLoading: false, leavesTraces: true, lacksReadySignal: false, hasUnfinishedScripts: false,
    hasLateScripts: false, straysFilters: false, late: [], blocked: [], unsupported: [], broken: [], brokenFonts: [], unplayed: [], loadedFonts: [], cutImages: [], elements: count,
    imagePixels: { files: {}, others: 0 },
  });

  // The report of the current state. Also used if the deadline passes before `ready` has finished.
  async function report(question, content) {
    reveal();
    if (question.innerHeight && innerHeight !== question.innerHeight) await offstageHeight.reached(question.innerHeight);
    const measuring = offstageImages.measure(documents(), question);
    if (measuring) await measuring;
    return describe(question, content);
  }

  function describe(question, content) {
    const root = rootElement() ?? call(document, 'appendChild', call(document, 'createElement', 'html'));
    // Elements of unknown XML vocabularies have no style.
    if (question.shrinksToFit) root.style?.setProperty('width', 'fit-content', 'important');
    layOut();
    const late = [...pending.keys()];
    if (get(document, 'readyState') !== 'complete') {
      for (const image of get(document, 'images')) if (!image.complete) late.push(image.currentSrc || image.src);
      for (const font of fonts()) if (font.status === 'loading') late.push(`font ${family(font)}`);
    }
    for (const one of documents()) {
      for (const frame of find(one, 'iframe[src], frame[src], object[data], embed[src]')) {
        // An SVG element of this name is not a frame.
        const url = get(frame, 'src') ?? get(frame, 'data');
        if (typeof url !== 'string' || isLocal(url)) continue;
        // An object without a box is not loaded.
        if (/frame$/.test(offstageDOM.nameOf(frame)) || call(frame, 'getClientRects').length) refuse(url);
      }
    }
    const height = contentHeight(root);
    return JSON.stringify({
      url: location.href,
      width: Math.max(root.scrollWidth, innerWidth),
      height,
      viewport: question.viewport && offstageHeight.next(question.viewport, height, offstageImages.roots([document], question.seeksShadowRoots)),
      straysFilters: offstageDOM.straysFilters && offstageStill.mayFilter(document),
      canvas: question.asksCanvas ? canvas(root) : undefined,
      isLoading: get(document, 'readyState') !== 'complete',
      leavesTraces: offstageTraces.areLeft(),
      lacksReadySignal: question.awaitsSignal && isHeld(),
      hasUnfinishedScripts: scripts === 'unfinished',
      hasLateScripts: question.awaitsSignal && scripts === 'late',
      fit: question.shrinksToFit ? box(root) : undefined,
      parts: question.selector ? parts(question.selector) : undefined,
      content: content?.(question.selector),
      late: [...new Set(late)],
      // Where page scripts are off, WebKit removes the `srcdoc` attribute, which leaves a frame without a document. Where they
      // run, they use the ready signal.
      blocked: [...offstageRefused.inOrder(blocked, documents()), ...(question.namesFrameDocuments && !question.awaitsSignal && hasEmptyFrame() ? ['about:srcdoc'] : [])],
      unsupported: offstageRefused.unsupported(documents()),
      cutImages: offstageImages.cut(),
      cutWidth: question.selector ? undefined : cutWidth(root),
      cutHeight: question.selector ? undefined : offstageHeight.lost(),
      broken: offstageRefused.inOrder(broken, documents()),
      brokenFonts: fonts().filter((font) => font.status === 'error').map((font) => ({ family: family(font), sources: sources(font) })),
      unplayed: [...new Set(unplayed)],
      elements: elements(),
      imagePixels: offstageImages.pixels(documents(), question),
      loadedFonts: [...new Set(fonts().filter((font) => font.status === 'loaded').map(family))],
    });
  }

  const hasEmptyFrame = () => [...find(document, 'iframe:not([src])')].some((frame) => get(frame, 'contentDocument') !== undefined);

  // The files that a font's rule refers to. Empty for a font that a script created.
  const sources = (font) => documents().flatMap((one) => [...get(one, 'styleSheets')].flatMap(faces)).filter(({ style }) =>
    family({ family: style.getPropertyValue('font-family') }) === family(font)
    && (style.getPropertyValue('font-weight') || 'normal') === font.weight && (style.getPropertyValue('font-style') || 'normal') === font.style)
    .flatMap(({ style, parentStyleSheet }) => [...style.getPropertyValue('src').matchAll(/url\("?([^")]+)/g)].map(
      ([, url]) => URL.parse(url, parentStyleSheet.href ?? get(document, 'baseURI'))?.href ?? url));

  function faces(group) {
    let rules = [];
    try {
      rules = group.cssRules ?? [];
    } catch {
      // The sheet has another origin.
    }
    return [...rules].flatMap((rule) => rule instanceof CSSFontFaceRule ? [rule] : faces(rule.styleSheet ?? rule));
  }

  // The colour behind a document without a background, which depends on the root's colour scheme.
  function canvas(root) {
    const probe = call(document, 'createElementNS', 'http://www.w3.org/1999/xhtml', 'i');
    probe.style.setProperty('color', 'Canvas', 'important');
    probe.style.setProperty('display', 'none', 'important');
    root.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }

  function box(element, zoom = zooms()) {
    const { x, y, width, height } = rectangle(element);
    const factor = zoom(element);
    return { x: x * factor + scrollX, y: y * factor + scrollY, width: width * factor, height: height * factor };
  }

  // Returns a function that gives the zoom factor of an element's rectangle.
  const zooms = () => offstageStill.mayZoom(document) ? offstageDOM.rectangleZoomOf : () => 1;

  // The width of the content that the right edge cuts off, in CSS px. Usually one comparison shows that it is 0. Overflow that
  // the document hides counts as intended.
  function cutWidth(root) {
    const body = get(document, 'body');
    const width = Math.max(root.scrollWidth, get(document, 'compatMode') === 'BackCompat' ? body?.scrollWidth ?? 0 : 0);
    if (width <= innerWidth + 1) return 0;
    const hides = (element) => element && /hidden|clip/.test(getComputedStyle(element).overflowX);
    if (hides(root) || hides(body)) return 0;
    return Math.max(0, Math.ceil(Math.min(width, rightEdge(root, body, width)) - innerWidth));
  }

  // A video without a poster is empty.
  const isReplaced = /^(?:img|canvas|input|textarea|select|button|meter|progress|hr)$/;

  // A frame without a document shows only its border.
  const isFrame = /^(?:iframe|frame|object|embed)$/;
  const showsDocument = (frame) => {
    const inner = get(frame, 'contentDocument');
    const body = inner && get(inner, 'body');
    return inner ? get(inner, 'documentElement') !== null && (!body || children(body).length > 0) : /^data:/i.test(get(frame, 'src') ?? get(frame, 'data') ?? '');
  };

  // The right edge of the visible content. Content clipped by `overflow` and empty boxes don't count.
  function rightEdge(root, body, most) {
    const zoom = zooms();
    const range = call(document, 'createRange');
    let [edge, budget] = [0, 20000];
    const see = ({ left, right, width, height }, factor, limit) => {
      if (width > 0 && height > 0 && left * factor + scrollX < limit) edge = Math.max(edge, Math.min(limit, right * factor + scrollX));
    };
    const visit = (element, limit) => {
      budget -= 1;
      if (budget < 0 || edge >= most - 1) return;
      const style = getComputedStyle(element);
      if (style.display === 'none' || style.visibility !== 'visible' || style.opacity === '0') return;
      const factor = zoom(element);
      const box = rectangle(element);
      // Probably a menu that the page keeps outside the visible area.
      if (/^(?:absolute|fixed)$/.test(style.position) && box.left * factor + scrollX >= innerWidth) return;
      const name = offstageDOM.nameOf(element);
      if (isFrame.test(name)) {
        if (showsDocument(element)) see(box, factor, limit);
        return;
      }
      const isPainted = isReplaced.test(name) || style.backgroundImage !== 'none'
        || !/^rgba\(.*, 0\)$|^transparent$/.test(style.backgroundColor) || parseFloat(style.borderRightWidth) > 0;
      if (isPainted && element !== root && element !== body) see(box, factor, limit);
      const clips = style.overflowX !== 'visible' && element !== root && element !== body;
      const inner = clips ? Math.min(limit, box.right * factor + scrollX) : limit;
      if (name === 'svg') {
        for (const child of [...children(element)].slice(0, 1000)) see(rectangle(child), factor, inner);
        return;
      }
      for (const child of get(element, 'childNodes')) {
        if (child.nodeType === Node.ELEMENT_NODE) visit(child, inner);
        else if (child.nodeType === Node.TEXT_NODE && /\S/.test(child.data)) {
          range.selectNodeContents(child);
          see(range.getBoundingClientRect(), factor, inner);
        }
      }
    };
    try {
      visit(root, Infinity);
    } catch {
      // Nested too deeply.
      return most;
    }
    return budget < 0 ? most : edge;
  }

  function parts(selector) {
    try {
      const zoom = zooms();
      return [...find(document, selector)].map((element) => box(element, zoom));
    } catch {
      return undefined;
    }
  }

  // In CSS px. If the content is lower than the viewport, scrollHeight is the viewport's height; then the content's lowest edge
  // counts.
  function contentHeight(root) {
    const body = get(document, 'body');
    const scrolled = Math.max(root.scrollHeight, get(document, 'compatMode') === 'BackCompat' ? body?.scrollHeight ?? 0 : 0);
    if (scrolled > innerHeight) return scrolled;
    let lowest = 0;
    const visit = (element) => {
      const style = getComputedStyle(element);
      if (style.display === 'none') return;
      const { bottom } = rectangle(element);
      const margin = element === body || element === root ? parseFloat(style.marginBottom) || 0 : 0;
      lowest = Math.max(lowest, bottom + scrollY + margin);
      if (style.overflowY !== 'visible' && element !== root && element !== body) return;
      for (const child of children(element)) visit(child);
    };
    visit(root);
    return Math.min(scrolled, Math.ceil(lowest));
  }

  watch(mostByDefault, globalThis.offstageIsVast);
  return { ready, rest, rewrite, report, documents };
})();
