// Determines whether a document depends on the viewport's height, and how high the document's content is. Runs in Offstage's script
// world, in the top document, before `height.js`.
'use strict';
globalThis.offstageViewport = (() => {
  const { get, call, set, find, rectangle, children } = offstageDOM;
  const layOut = () => offstageStill.layOut(document);

  // MARK: Dependence on the viewport's height

  const declared = (element, ...names) => {
    const style = call(element, 'computedStyleMap');
    return names.some((name) => /%|stretch|fill-available/.test(String(style.get(name) ?? '')));
  };
  const heights = ['height', 'min-height', 'max-height'];

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

  // MARK: The height of the content

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
      if (!/absolute|fixed/.test(position) || display === 'none') continue;
      const more = footer(one, position, rectangle(one).height);
      if (more > 0) most = Math.max(most, height + more);
      if (!isInViewport(one, position)) continue;
      const gap = String(call(one, 'computedStyleMap').get('bottom')) === 'auto' ? 0 : parseFloat(bottom) || 0;
      const own = Math.max(rectangle(one).height, span(one));
      if (rectangle(one).bottom + scrollY <= innerHeight || rectangle(one).top < 0) most = Math.max(most, own + Math.max(0, gap));
    }
    return Math.ceil(Math.max(most, unbound(root)));
  }

  // The height that the body lacks for a footer at its lower edge, in CSS px. Only for a body that is as high as the viewport.
  function footer(element, position, own) {
    const body = get(document, 'body');
    if (position !== 'absolute' || !body || get(element, 'offsetParent') !== body) return 0;
    const { position: place, minHeight, paddingBottom } = getComputedStyle(body);
    if (place === 'static' || !/%/.test(minHeight) && parseFloat(minHeight) !== innerHeight) return 0;
    const map = call(element, 'computedStyleMap');
    const isBar = String(map.get('bottom')) !== 'auto' && String(map.get('top')) === 'auto'
      && rectangle(element).width >= 0.9 * rectangle(body).width && get(element, 'textContent').trim();
    return isBar ? own + Math.max(0, parseFloat(getComputedStyle(element).bottom) || 0) - parseFloat(paddingBottom) : 0;
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

  // MARK: Units

  // WebKit paints a whole document as if the dynamic viewport were as large as the document. This replaces the dynamic units with
  // those of the small viewport, which has the same size as every other viewport here.
  function withoutDynamicUnits(roots) {
    const units = /(\d)dv(h|w|b|i|min|max)\b/gi;
    const replace = (style) => {
      const text = style?.cssText ?? '';
      if (text.search(units) >= 0) style.cssText = text.replace(units, '$1sv$2');
    };
    const visit = (group) => {
      let rules = [];
      try { rules = group?.cssRules ?? []; } catch { /* Another origin's. */ }
      for (const rule of rules) {
        replace(rule.style);
        visit(rule.styleSheet ?? rule);
      }
    };
    for (const root of roots) {
      for (const sheet of [...get(root, 'styleSheets'), ...get(root, 'adoptedStyleSheets')]) visit(sheet);
      for (const element of find(root, '[style*="dv" i]')) replace(offstageDOM.styleOf(element));
    }
  }

  return { depends, inFlow, natural, withoutDynamicUnits, isPlaced, isInViewport };
})();
