// Collects links, named elements and text. Runs in the world of `readiness.js`, at the start of documents whose host requests
// their content. Documents are untrusted: their names cannot hide anything (`dom.js`), and every search has a limit.
'use strict';
globalThis.offstageContent = (() => {
  const mostAreas = 1000;
  // The limits for one target or name, and for all of them together.
  const mostCharacters = 4096;
  const mostCharactersOfAll = 1 << 17;
  const mostText = 2000;
  const mostLabel = 200;
  // Limits of the search.
  const mostRectangles = 20_000;
  const mostNodes = 200_000;
  const mostNodesOfLabels = 20_000;

  const { method, getter } = offstageDOM;
  const all = method(Document, 'querySelectorAll');
  const allBelow = method(Element, 'querySelectorAll');
  const rectanglesOf = method(Element, 'getClientRects');
  const rectangleOf = method(Element, 'getBoundingClientRect');
  const attribute = method(Element, 'getAttribute');
  const attributeOf = method(Element, 'getAttributeNS');
  const isRendered = method(Element, 'checkVisibility');
  const styles = method(Element, 'computedStyleMap');
  // Does not use `getComputedStyle`: its first result, with all properties, takes a millisecond per document.
  const style = (element, property) => String(styles(element).get(property));
  const nameOf = getter(Element, 'localName');
  const firstChild = getter(Element, 'firstElementChild');
  const above = getter(Node, 'parentElement');
  const rangeOf = method(Document, 'createRange');
  const named = (name) => offstageDOM.call(document, 'getElementById', name);

  // True if the document may have a CSS `zoom`.
  let mayZoom = false;
  // The zoom factor of each element.
  let zooms = new Map();
  const zoomOf = (element) => {
    if (!mayZoom || !element) return 1;
    if (!zooms.has(element)) zooms.set(element, offstageDOM.zoomOf(element));
    return zooms.get(element);
  };
  const rectangleZoomOf = (element) => offstageDOM.dividesRectangles ? zoomOf(element) : 1;
  const scaled = (box, zoom) => zoom === 1 ? box
    : { left: box.left * zoom, top: box.top * zoom, right: box.right * zoom, bottom: box.bottom * zoom, width: box.width * zoom, height: box.height * zoom };
  const rectangle = (element) => scaled(rectangleOf(element), rectangleZoomOf(element));
  const rectangles = (element) => [...rectanglesOf(element)].map((one) => scaled(one, rectangleZoomOf(element)));
  // The rectangle in px at the element's own zoom, like the lengths in its styles.
  const ownRectangle = (element) => scaled(rectangleOf(element), rectangleZoomOf(element) / zoomOf(element));

  function content(selector) {
    try {
      mayZoom = offstageStill.mayZoom(document);
      zooms = new Map();
      const root = all(document, ':root')[0];
      return {
        areas: root ? areas(root) : [],
        texts: selector === undefined ? [root ? text(root, { nodes: mostNodes }) : ''] : textsOf(selector),
      };
    } catch {
      // The picture is useful without links and texts, so ignore the error.
      return { areas: [], texts: [] };
    }
  }

  // Links and names.

  function areas(root) {
    const found = [];
    const links = new Links();
    const clips = new Clips(root);
    const budget = { rectangles: mostRectangles, characters: mostCharactersOfAll };
    const words = { nodes: mostNodesOfLabels };
    const add = (list, target, identifier, label, clip) => {
      budget.characters -= (target?.length ?? 0) + (identifier?.length ?? 0) + (label?.length ?? 0);
      if (budget.characters < 0) return;
      for (const { left, top, right, bottom } of list) {
        const box = cut({ left, top, right, bottom }, clip);
        if (box) found.push([box.left + scrollX, box.top + scrollY, box.right - box.left, box.bottom - box.top].map(rounded).concat(target, identifier, label));
      }
    };
    for (const element of all(document, 'a[*|href], map, [id]')) {
      if (budget.rectangles < 0 || budget.characters < 0) break;
      if (nameOf(element) === 'map') {
        for (const [target, identifier, box, image, area] of imageMap(element, links)) {
          budget.rectangles -= 1;
          if (budget.rectangles < 0) break;
          if (isRendered(image, { visibilityProperty: true })) add([box], target, identifier, labelOf(area, words), clips.around(image));
        }
        continue;
      }
      const target = links.target(element);
      const identifier = short(attribute(element, 'id'));
      if (target === null && identifier === null) continue;
      const isLink = target !== null && style(element, 'pointer-events') !== 'none';
      const list = isLink ? places(element, budget) : [rectangle(element)];
      budget.rectangles -= list.length;
      if (!list.some(hasSize) || !isRendered(element, { visibilityProperty: true }) && !showsContents(element)) continue;
      if (isLink) add(list, target, identifier, labelOf(element, words), clips.around(element));
      else if (identifier !== null) add(list, null, identifier, null, clips.around(element));
    }
    // If there are too many, keep links rather than names.
    if (found.length > mostAreas) found.sort((one, other) => (one[4] === null) - (other[4] === null));
    return found.slice(0, mostAreas);
  }

  const hasSize = ({ width, height }) => width > 0 && height > 0;
  const showsContents = (element) => style(element, 'display') === 'contents';
  const rounded = (value) => Math.round(value * 1000) / 1000;
  const short = (text) => text && text.length <= mostCharacters ? text.toWellFormed() : null;

  // The label of a link, in one line: its text, or else its title. For an image map's area, its alternative text. Null if none
  // exists.
  function labelOf(link, budget) {
    const said = nameOf(link) === 'area' ? label(link).slice(0, 4 * mostLabel).replace(/\s+/g, ' ').trim() : text(link, budget, mostLabel);
    const words = said || (attribute(link, 'title') ?? '').slice(0, 4 * mostLabel).replace(/\s+/g, ' ').trim();
    return shortened(words.toWellFormed(), mostLabel) || null;
  }

  // The boxes that a link covers: its own, one per line, and those of contents that extend beyond them. No box lies within
  // another.
  function places(link, budget) {
    const isDrawn = link instanceof SVGElement;
    // In an SVG text, a link's rectangle is that of the whole text.
    const isInText = isDrawn && offstageDOM.call(link, 'closest', 'text') !== null;
    const list = isInText ? [] : isDrawn ? [rectangle(link)] : rectangles(link);
    if (firstChild(link) || isInText) {
      for (const one of isDrawn && !isInText ? [] : inside(link)) {
        budget.rectangles -= 1;
        if (budget.rectangles < 0) break;
        if (list.length < mostAreas && hasSize(one) && !list.some((other) => isWithin(one, other))) list.push(one);
      }
    }
    return list.filter(hasSize);
  }

  // The rectangles of a link's contents. A range ignores the zoom (WebKitGTK 2.50) and misplaces SVG elements. So if the document
  // may have a zoom, or the link contains SVG, each text and element is measured.
  function* inside(link) {
    const range = rangeOf(document);
    if (!mayZoom && allBelow(link, 'svg, text').length === 0 && !(link instanceof SVGElement)) {
      range.selectNodeContents(link);
      yield* range.getClientRects();
      return;
    }
    const walk = offstageDOM.call(document, 'createTreeWalker', link, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node.parentNode instanceof SVGSVGElement && node.nodeType === Node.ELEMENT_NODE ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    while (walk.nextNode()) {
      const node = walk.currentNode;
      if (node.nodeType === Node.TEXT_NODE) {
        range.selectNodeContents(node);
        const zoom = rectangleZoomOf(node.parentElement);
        for (const one of range.getClientRects()) yield scaled(one, zoom);
      } else if (node instanceof SVGSVGElement || !(node instanceof SVGElement)) {
        yield* rectangles(node);
      }
    }
  }

  const isWithin = (one, other) => one.left >= other.left - 0.5 && one.top >= other.top - 0.5
    && one.right <= other.right + 0.5 && one.bottom <= other.bottom + 0.5;

  // The areas of an image map, in reverse order because the first one is on top. Other shapes yield their bounding rectangles.
  function* imageMap(map, links) {
    const name = attribute(map, 'name');
    if (!name) return;
    const areas = [...allBelow(map, 'area[href]')].slice(0, mostAreas).reverse();
    for (const image of all(document, `img[usemap="#${CSS.escape(name)}"]`)) {
      const { left, top, width, height } = ownRectangle(image);
      const { clientLeft, clientTop } = image;
      for (const area of areas) {
        const target = links.target(area);
        if (target === null) continue;
        const numbers = (attribute(area, 'coords') ?? '').split(',', 1000).map(parseFloat);
        const shape = (attribute(area, 'shape') ?? 'rect').toLowerCase();
        const [x, y, radius] = numbers;
        const corners = shape === 'default' ? [0, 0, width, height]
          : shape.startsWith('circ') ? [x - radius, y - radius, x + radius, y + radius] : numbers;
        const [xs, ys] = [0, 1].map((start) => corners.filter((_, index) => index % 2 === start));
        const box = {
          left: left + clientLeft + Math.max(0, Math.min(...xs)), right: left + clientLeft + Math.max(...xs),
          top: top + clientTop + Math.max(0, Math.min(...ys)), bottom: top + clientTop + Math.max(...ys),
        };
        const inside = cut(box, { left, top, right: left + width, bottom: top + height });
        if (inside) yield [target, short(attribute(area, 'id')), scaled(inside, zoomOf(image)), image, area];
      }
    }
  }

  const xlink = 'http://www.w3.org/1999/xlink';

  // The targets of links, as written but without the space that a browser strips. If the document has a `<base>`, resolved
  // against it.
  class Links {
    constructor() {
      this.base = offstageDOM.get(document, 'baseURI');
      this.hasBase = all(document, 'base[href]').length > 0;
      this.own = `${location.protocol}//${location.host}/`;
    }

    target(link) {
      const name = nameOf(link);
      if (name !== 'a' && name !== 'area') return null;
      const written = attribute(link, 'href') ?? attributeOf(link, xlink, 'href');
      if (written === null || written.length > mostCharacters) return null;
      const text = bare(written).toWellFormed();
      let url;
      try {
        url = new URL(text, this.base);
      } catch {
        return null;
      }
      // A program that opens one of these runs the document's script.
      if (/^(?:javascript|vbscript):|^data:[^,]*(?:html|xml|svg)/i.test(url.href)) return null;
      if (!this.hasBase) return text;
      const { href } = url;
      return short(href.startsWith(this.own) ? href.slice(this.own.length) : href);
    }
  }

  // Removes tabs and line breaks, and control characters and spaces at both ends.
  function bare(text) {
    const line = ['\t', '\n', '\r'].reduce((line, space) => line.includes(space) ? line.replaceAll(space, '') : line, text);
    let [start, end] = [0, line.length];
    while (start < end && line[start] <= ' ') start += 1;
    while (end > start && line[end - 1] <= ' ') end -= 1;
    return line.slice(start, end);
  }

  function cut({ left, top, right, bottom }, clip) {
    const box = clip ? {
      left: Math.max(left, clip.left), top: Math.max(top, clip.top), right: Math.min(right, clip.right),
      bottom: Math.min(bottom, clip.bottom),
    } : { left, top, right, bottom };
    return box.right > box.left && box.bottom > box.top ? box : null;
  }

  // The visible parts of boxes with `overflow`. Null if everything is visible.
  class Clips {
    constructor(root) {
      this.root = root;
      this.body = getter(Document, 'body')(document);
      this.known = new Map();
      // Computed only for documents that may have such boxes.
      this.areThere = offstageDOM.get(document, 'adoptedStyleSheets').length > 0
        || [...offstageDOM.get(document, 'styleSheets')].some(({ href, ownerNode }) => href || !ownerNode || ownerNode.textContent.toLowerCase().includes('overflow'))
        || all(document, '[style*="overflow" i], svg a').length > 0;
    }

    // The clip that an element's ancestors apply, except those that don't contain its layout.
    around(element) {
      if (!this.areThere) return null;
      const key = `${getComputedStyle(element).position}`;
      const parent = above(element);
      const known = this.known.get(parent)?.[key];
      if (known !== undefined) return known;
      let clip = null;
      let position = key;
      for (let one = parent; one && one !== this.root && one !== this.body; one = above(one)) {
        const style = getComputedStyle(one);
        const holds = style.transform !== 'none' || style.filter !== 'none' || style.contain !== 'none' || style.perspective !== 'none';
        if (position === 'fixed' && !holds || position === 'absolute' && !holds && style.position === 'static') continue;
        position = style.position;
        if (style.overflowX === 'visible' && style.overflowY === 'visible' || style.display === 'inline' && !(one instanceof SVGSVGElement)) continue;
        const { left, top, right, bottom } = ownRectangle(one);
        const zoom = zoomOf(one);
        const [x, y] = [style.overflowX !== 'visible', style.overflowY !== 'visible'];
        const inner = (name) => parseFloat(style.getPropertyValue(`border-${name}-width`)) || 0;
        const box = {
          left: x ? zoom * (left + inner('left')) : -Infinity, right: x ? zoom * (right - inner('right')) : Infinity,
          top: y ? zoom * (top + inner('top')) : -Infinity, bottom: y ? zoom * (bottom - inner('bottom')) : Infinity,
        };
        clip = clip ? cut(clip, box) ?? { left: 0, top: 0, right: 0, bottom: 0 } : box;
      }
      this.known.set(parent, { ...this.known.get(parent), [key]: clip });
      return clip;
    }
  }

  // Text.

  function textsOf(selector) {
    const budget = { nodes: mostNodes };
    return [...all(document, selector)].map((element) => text(element, budget));
  }

  // Sets, because a regular expression is compiled again in each document.
  const image = new Set(['img', 'area']);
  const button = new Set(['submit', 'button', 'reset']);
  // Elements without text of their own, or whose text is used elsewhere.
  const aside = new Set(['head', 'style', 'script', 'link', 'meta', 'template', 'noscript', 'defs', 'symbol', 'clipPath', 'mask', 'pattern', 'marker']);
  const silent = new Set(['hidden', 'password', 'checkbox', 'radio', 'range', 'color', 'file']);

  // The text that replaces an element's content; undefined if its content counts.
  function label(element) {
    const own = attribute(element, 'aria-label')?.trim();
    if (own) return own;
    const name = nameOf(element);
    if (image.has(name)) return attribute(element, 'alt') ?? '';
    if (name === 'input') {
      const type = (attribute(element, 'type') ?? '').toLowerCase();
      if (silent.has(type)) return '';
      if (type === 'image') return attribute(element, 'alt') ?? '';
      return (!offstageStill.isStandIn(element) && element.value) || (button.has(type) ? '' : attribute(element, 'placeholder')) || '';
    }
    if (name === 'textarea') return element.value || attribute(element, 'placeholder') || '';
    if (name === 'select') return [...element.selectedOptions].map(({ label }) => label).join(' ');
    return undefined;
  }

  // Elements that are inline by default. The computed style is read only where two texts would touch.
  const inline = new Set('a abbr b bdi bdo cite code data dfn em font i ins del kbd label mark q s samp small span strong sub sup time tspan u var'.split(' '));
  const mayStandApart = (element) => {
    const display = style(element, 'display');
    return display !== 'inline' && display !== 'contents';
  };
  const isSeen = (element) => isRendered(element, { visibilityProperty: true })
    || showsContents(element) && style(element, 'visibility') === 'visible';

  // The rendered text of an element, with the alternative texts of pictures, in one line.
  function text(root, budget, most = mostText) {
    const walk = offstageDOM.call(document, 'createTreeWalker', root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    // The ancestors of the current text. `isSeen` is true if their text is visible, once known.
    const open = [];
    // The inline elements whose start or end was passed since the last text.
    let edges = [];
    let said = '';
    const isFull = () => said.length > 4 * most || budget.nodes < 0;
    const pass = (element, name) => {
      if (!inline.has(name)) said += ' ';
      else if (edges.length < 100) edges.push(element);
    };
    const say = (data) => {
      if (said && said.at(-1) > ' ' && data[0] > ' ' && edges.some(mayStandApart)) said += ' ';
      said += data;
      edges = [];
    };
    // Appends the text of an element or text node. Returns true if the walk should continue inside it.
    const enter = (node) => {
      budget.nodes -= 1;
      if (node.nodeType === Node.TEXT_NODE) {
        const around = open.at(-1);
        const data = node.data.slice(0, 4 * most);
        if (around && data.trim()) {
          // A closed `<details>` shows only its summary.
          around.isSeen ??= isSeen(around.element) && !(around.name === 'details' && attribute(around.element, 'open') === null);
          if (around.isSeen) say(data);
        } else if (around) {
          said += ' ';
        }
        return false;
      }
      const name = nameOf(node);
      if (aside.has(name) || !isRendered(node) && !showsContents(node) || attribute(node, 'aria-hidden') === 'true') return false;
      const words = label(node);
      if (words !== undefined) {
        if (words && isSeen(node)) said += ` ${words} `;
        return false;
      }
      pass(node, name);
      if (name === 'svg') {
        const [title] = allBelow(node, ':scope > title');
        if (title && isSeen(node)) said += ` ${title.textContent} `;
      }
      open.push({ element: node, name, isSeen: undefined });
      return true;
    };
    const leave = () => {
      const { element, name } = open.pop();
      pass(element, name);
    };
    // Visibility of a text depends on its ancestors.
    let isIn = enter(walk.currentNode);
    while (!isFull()) {
      if (isIn && walk.firstChild()) {
        isIn = enter(walk.currentNode);
        continue;
      }
      if (isIn) leave();
      while (walk.currentNode !== root && !walk.nextSibling()) {
        walk.parentNode();
        leave();
      }
      if (walk.currentNode === root) break;
      isIn = enter(walk.currentNode);
    }
    return shortened(said.toWellFormed().replace(/\s+/g, ' ').trim(), most);
  }

  const shortened = (line, most) => line.length <= most ? line : [...line].slice(0, most).join('').trim();

  // Calls `mark` for each link, with its number, and for each element that links refer to, numbered separately. Returns the
  // links' targets and these elements' names.
  content.mark = (mark) => {
    const links = new Links();
    const [targets, names] = [[], []];
    for (const element of all(document, 'a[*|href]')) {
      if (targets.length >= mostAreas) break;
      const target = links.target(element);
      if (target === null || style(element, 'pointer-events') === 'none') continue;
      if (target.startsWith('#')) {
        const [, name] = [target.slice(1), decoded(target.slice(1))].map((name) => name && named(name) && attribute(named(name), 'id'));
        if (name && !names.includes(name)) names.push(name);
      }
      mark(element, 'link', targets.length);
      targets.push(target);
    }
    // An element has only one mark; a link's mark takes precedence.
    names.forEach((name, number) => mark(named(name), 'name', number));
    return { targets, names };
  };

  const decoded = (name) => {
    try {
      return decodeURIComponent(name);
    } catch {
      return name;
    }
  };

  return content;
})();
