// Finds the viewport's height for a document whose picture is as high as its content. Runs in Offstage's script world, in the
// top document, before `readiness.js`.
//
// A document is first laid out in a viewport of 1 px, or of the minimum height. If it depends on the viewport's height, it is laid
// out again in the highest viewport in which it is not higher than its content. Content that an area hides, whose height follows the
// viewport's, counts as a whole. If no such viewport exists, the first one stays.
'use strict';
globalThis.offstageHeight = (() => {
  const { get, call, set, find, rectangle, children, isRendered } = offstageDOM;
  const layOut = () => offstageStill.layOut(document);

  // The layout rounds of this document, once they have begun.
  let rounds = null;

  // Starts over for a new document.
  function reset() { rounds = null; }

  // Returns the viewport height to measure next, in CSS px, or undefined if the current one is final.
  //
  // - wanted: `viewport` of a `Readiness.Question`.
  // - height: the content's height in the current viewport.
  function next({ certainly, least, most, isCut }, height, roots) {
    if (!rounds) {
      if (!certainly && !depends(roots)) return undefined;
      rounds = search(Math.max(least, 1), most, isCut);
      rounds.next();
    }
    return rounds.next(height).value;
  }

  // Waits until the viewport has this height. The change reaches WebKit on a different channel than scripts do.
  async function reached(height) {
    for (let turn = 0; innerHeight !== height && turn < 200; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  // MARK: Whether a document depends on the viewport's height

  const declared = (element, ...names) => {
    const style = call(element, 'computedStyleMap');
    return names.some((name) => /%|stretch|fill-available/.test(String(style.get(name) ?? '')));
  };
  const heights = ['height', 'min-height', 'max-height'];
  const hasBottom = ({ bottom }) => bottom !== 'auto';

  // True if the position or size of an out-of-flow box depends on the viewport's height.
  function isPlaced(element, pseudo) {
    const style = getComputedStyle(element, pseudo);
    const { position } = style;
    if (position === 'static' || position === 'relative') return false;
    if (position === 'sticky') return /%|px/.test(call(element, 'computedStyleMap').get('bottom') ?? '');
    // The ancestors of a pseudo-element's box start with the element itself.
    if (!isInViewport(element, position, pseudo)) return false;
    if (pseudo) return true;
    const map = call(element, 'computedStyleMap');
    return String(map.get('bottom') ?? 'auto') !== 'auto' || declared(element, 'top', ...heights);
  }

  function isInViewport(element, position, pseudo) {
    const body = get(document, 'body');
    const root = get(document, 'documentElement');
    const isStatic = (one) => getComputedStyle(one).position === 'static';
    if (pseudo) {
      if (element === root) return isStatic(root);
      if (!isStatic(element)) return position === 'fixed';
    }
    const parent = get(element, 'offsetParent') ?? null;
    if (position === 'fixed') return parent === null || parent === body;
    return (parent === null || parent === body) && (!body || isStatic(body)) && isStatic(root);
  }

  function depends(roots) {
    const root = get(document, 'documentElement');
    const body = get(document, 'body');
    if (!root || !body || !root.computedStyleMap) return false;
    if (declared(root, ...heights)) return true;
    if (get(document, 'compatMode') === 'BackCompat' && (declared(body, ...heights)
      || [...find(body, '*')].some((one) => declared(one, ...heights) && isPercentOfViewport(one)))) return true;
    const first = [root, body, ...children(body)];
    if (first.some((one) => isPlaced(one, '::before') || isPlaced(one, '::after'))) return true;
    return roots.some((one) => [...find(one, '*')].some((element) => isPlaced(element)));
  }

  // In quirks mode a percentage resolves through ancestors without a height, up to the viewport.
  function isPercentOfViewport(element) {
    for (let one = offstageDOM.above(element); one; one = offstageDOM.above(one)) {
      const { position, display } = getComputedStyle(one);
      if (/absolute|fixed/.test(position) || /table|flex|grid/.test(display)) return false;
      if (String(call(one, 'computedStyleMap').get('height')) !== 'auto') return false;
    }
    return true;
  }

  // MARK: The search

  // A generator: yields viewport heights and receives the content's height in each. `isCut` is true if the picture ends at the
  // maximum viewport height.
  function* search(least, most, isCut) {
    const start = innerHeight;
    const height = yield undefined;
    const whole = Math.max(natural(height), least);
    if (whole > most && !isCut) return undefined;
    const content = Math.min(whole, most);
    if (content <= start) return undefined;
    let now = yield content;
    const hidden = hiding();
    if (hidden.size) {
      const followers = yield* following(hidden, content, most);
      if (followers.length) {
        yield* opened(followers, hidden, content, most);
        return undefined;
      }
      now = yield content;
    }
    if (now <= whole) return undefined;
    // The amount by which content that grows with the viewport is too low.
    const lower = content + whole - now;
    if (lower > start && (yield lower) <= whole) return undefined;
    yield start;
    return undefined;
  }

  // The areas whose heights follow the viewport's height.
  function* following(hidden, content, most) {
    const before = [...hidden.keys()].map((one) => [one, get(one, 'clientHeight')]);
    yield Math.min(most, content + Math.max(...hidden.values()));
    return before.filter(([one, height]) => get(one, 'clientHeight') > height).map(([one]) => one);
  }

  // Opens these areas to the height that they need.
  function* opened(followers, hidden, content, most) {
    let height = Math.min(most, content + Math.max(...followers.map((one) => hidden.get(one))));
    for (let round = 0; round < 4; round += 1) {
      if (innerHeight !== height) yield height;
      const rest = Math.max(...followers.map(excess));
      if (rest <= 0 || height >= most) break;
      height = Math.min(most, height + rest);
    }
  }

  // The height of an area's hidden content, in CSS px.
  function excess(area) {
    const { overflowY } = getComputedStyle(area);
    if (/auto|scroll/.test(overflowY)) return get(area, 'scrollHeight') - get(area, 'clientHeight');
    // Without scrolling, boxes beyond the edge are often decoration.
    return Math.max(0, Math.ceil(inFlow(area).bottom - rectangle(area).bottom));
  }

  function hiding() {
    const root = get(document, 'documentElement');
    const body = get(document, 'body');
    const areas = new Map();
    for (const one of find(document, '*')) {
      if (one === root || get(one, 'scrollHeight') <= get(one, 'clientHeight') || !isRendered(one)) continue;
      const { overflowY, display } = getComputedStyle(one);
      if (overflowY === 'visible' || /^inline$|contents/.test(display) || one === body && isViewports(root)) continue;
      const rest = excess(one);
      if (rest > 0) areas.set(one, rest);
    }
    return areas;
  }

  // True if the viewport takes the body's overflow.
  const isViewports = (root) => getComputedStyle(root).overflowY === 'visible';

  // The top and bottom edges of in-flow content.
  function inFlow(element) {
    const edges = { top: Infinity, bottom: -Infinity };
    const visit = (one) => {
      const { display, position, overflowY } = getComputedStyle(one);
      if (display === 'none' || /absolute|fixed/.test(position) && one !== element) return;
      if (one !== element && display !== 'contents') {
        const { top, bottom, height } = rectangle(one);
        if (height > 0) Object.assign(edges, { top: Math.min(edges.top, top), bottom: Math.max(edges.bottom, bottom) });
      }
      if (overflowY !== 'visible' && one !== element && one !== get(document, 'body')) return;
      for (const child of children(one)) visit(child);
    };
    visit(element);
    return edges;
  }

  // The content's height, including content above the top of a viewport that is too low.
  function natural(height) {
    const root = get(document, 'documentElement');
    let most = Math.max(height, span(root));
    for (const one of find(document, '*')) {
      const { position, display, bottom } = getComputedStyle(one);
      if (!/absolute|fixed/.test(position) || display === 'none' || !isInViewport(one, position)) continue;
      const gap = String(call(one, 'computedStyleMap').get('bottom')) === 'auto' ? 0 : parseFloat(bottom) || 0;
      const own = Math.max(rectangle(one).height, span(one));
      if (rectangle(one).bottom + scrollY <= innerHeight || rectangle(one).top < 0) most = Math.max(most, own + Math.max(0, gap));
    }
    return Math.ceil(Math.max(most, unbound(root)));
  }

  const span = (element) => {
    const { top, bottom } = inFlow(element);
    return bottom > top ? bottom - Math.min(element === get(document, 'documentElement') ? -scrollY : Infinity, top) : 0;
  };

  // The height that the content would have if neither the root nor the body set one.
  function unbound(root) {
    const sheets = [...get(document, 'adoptedStyleSheets')];
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html, body { height: auto !important; min-height: 0 !important; max-height: none !important }');
    set(document, 'adoptedStyleSheets', [...sheets, sheet]);
    layOut();
    const body = get(document, 'body');
    const margin = body ? parseFloat(getComputedStyle(body).marginBottom) || 0 : 0;
    const height = Math.max(span(root), rectangle(root).bottom + scrollY, body ? rectangle(body).bottom + scrollY + margin : 0);
    set(document, 'adoptedStyleSheets', sheets);
    layOut();
    return height;
  }

  return { next, reached, reset };
})();
