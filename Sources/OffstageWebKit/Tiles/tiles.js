// Evaluated in our script world, once a document is ready, where its picture does not fit into one snapshot. WebKit's
// snapshot of a whole document begins at the document's origin and is as large as what overflows the viewport. So the root
// element is made `position: fixed`, which overflows nothing, and is moved up by what lies above a tile; an invisible element
// in the top layer, which overflows alone, says how large the tile is. The viewport stays as it is, and with it the units
// and media queries that go by it. What does not move with the root is moved in its turn: `fixed` boxes, the canvas's
// background, backgrounds attached to the viewport. `sticky` boxes stay where the unscrolled document has them.
'use strict';
globalThis.offstageTiles = (() => {
  const root = document.documentElement;
  // Layout px, whose grid has 64 steps each, to a CSS px.
  let zoom = 1;
  const steps = (px) => Math.round(px * zoom * 64);
  // What layout, which cuts off what is smaller than a step, makes exactly so many steps of.
  const css = (count) => `${(count + Math.sign(count) / 4) / 64 / zoom}px`;
  // CSS px: more than the error of the arithmetic, less than what could be seen.
  const tolerance = 0.1;

  // An element, or what its ::before or ::after makes, with what is known of it before anything is changed.
  class Box {
    constructor(element, pseudo, style) {
      this.element = element;
      this.pseudo = pseudo;
      this.position = style.position;
      this.rectangle = pseudo ? null : element.getBoundingClientRect();
      if (this.isAbsolute) this.used = used(style);
    }

    get isAbsolute() { return this.position === 'fixed' || this.position === 'absolute'; }
    get style() { return getComputedStyle(this.element, this.pseudo); }

    set(properties) {
      this.declarations ??= this.pseudo ? rule(this) : this.element.style;
      for (const [name, value] of Object.entries(properties)) this.declarations.setProperty(name, value, 'important');
    }

    // CSS px that the box is away from where it was, with the document moved up by so many layout px.
    distance(moved = 0) {
      const { x, y } = this.element.getBoundingClientRect();
      return { x: x - this.rectangle.x, y: y - this.rectangle.y + moved / zoom };
    }

    isMisplaced(moved) {
      const now = this.element.getBoundingClientRect();
      const { x, y } = this.distance(moved);
      return [x, y, now.width - this.rectangle.width, now.height - this.rectangle.height].some((one) => Math.abs(one) > tolerance);
    }

    // Its place and size in numbers that depend on nothing; the place relative to the containing block's, CSS px.
    pin({ x, y }) {
      const { top, left, width, height, marginTop, marginRight, marginBottom, marginLeft } = this.used;
      this.top = steps(parseFloat(top) - y);
      this.left = steps(parseFloat(left) - x);
      this.set({
        top: css(this.top), left: css(this.left), right: 'auto', bottom: 'auto', width, height,
        'margin-top': marginTop, 'margin-right': marginRight, 'margin-bottom': marginBottom, 'margin-left': marginLeft,
      });
    }
  }

  const used = ({ top, left, width, height, marginTop, marginRight, marginBottom, marginLeft }) =>
    ({ top, left, width, height, marginTop, marginRight, marginBottom, marginLeft });

  // The declarations of a rule for a pseudo-element, which has no style attribute; by its specificity no other outdoes it.
  let rules = 0;
  function rule({ element, pseudo }) {
    const scope = element.getRootNode();
    const sheet = scope.offstageSheet ??= (scope.head ?? scope).appendChild(document.createElement('style')).sheet;
    const mark = `data-offstage-tiles-${++rules}`;
    element.setAttribute(mark, '');
    const index = sheet.insertRule(`[${mark}]:not(#a#b#c#d#e)${pseudo} {}`, sheet.cssRules.length);
    return sheet.cssRules[index].style;
  }

  function collect(scope, boxes) {
    for (const element of scope.querySelectorAll('*')) {
      boxes.push(new Box(element, null, getComputedStyle(element)));
      for (const pseudo of ['::before', '::after']) {
        const style = getComputedStyle(element, pseudo);
        if (style.content !== 'none' && style.content !== 'normal') boxes.push(new Box(element, pseudo, style));
      }
      if (element.shadowRoot) collect(element.shadowRoot, boxes);
    }
    return boxes;
  }

  // Boxes that are `fixed` to the viewport, or in the top layer; backgrounds that do not move with their box.
  const attached = [];
  const backgrounds = [];

  function findBackgrounds(boxes) {
    const hasBackground = ({ style }) => style.backgroundImage !== 'none' || !/(, 0|\/ 0)\)$/.test(style.backgroundColor);
    const isContained = ({ style }) => style.contain !== 'none' || (style.containerType ?? 'normal') !== 'normal';
    const ends = boxes.filter(({ element, pseudo }) => !pseudo && (element === root || element === document.body));
    // The root's, or else the body's, covers the canvas (CSS Backgrounds 3, 2.11).
    const canvas = ends.find(hasBackground);
    for (const box of boxes) {
      const { style } = box;
      if (style.backgroundImage === 'none') continue;
      const isCanvas = box === canvas && (box.element === root || !ends.some(isContained));
      const attachments = style.backgroundAttachment.split(', ');
      if (!isCanvas && !attachments.includes('fixed')) continue;
      // Commas also part a function's arguments.
      const places = style.backgroundPositionY.split(/,\s*(?![^()]*\))/);
      const count = Math.max(places.length, attachments.length);
      const layers = Array.from({ length: count }, (_, index) => ({
        place: places[index % places.length],
        moves: isCanvas || attachments[index % attachments.length] === 'fixed',
      }));
      backgrounds.push({ box, layers });
    }
  }

  function holdSticky(boxes) {
    const sticky = boxes.filter(({ position }) => position === 'sticky');
    // It stays a stacking context and a containing block, and does not stick.
    for (const box of sticky) box.set({ top: 'auto', right: 'auto', bottom: 'auto', left: 'auto' });
    for (const box of sticky) {
      if (box.pseudo || !box.isMisplaced()) continue;
      const { x, y } = box.distance();
      box.set({ position: 'relative', isolation: 'isolate', top: css(steps(-y)), left: css(steps(-x)) });
    }
  }

  let rootBox;
  let moved = 0;

  function fixRoot() {
    const { height } = rootBox.style;
    // As high as it is: in quirks mode it stretches to the viewport only while it is in flow.
    rootBox.set({ position: 'fixed', top: '0', left: '0', right: '0', bottom: 'auto', 'min-height': height });
    const { x, y } = rootBox.distance();
    rootBox.top = steps(-y);
    rootBox.set({ top: css(rootBox.top), ...(Math.abs(x) > tolerance && { left: css(steps(-x)), right: 'auto' }) });
  }

  // What stood in the initial containing block stands in the root's padding box now.
  function holdAbsolute(boxes) {
    const origin = { x: rootBox.rectangle.x + root.clientLeft, y: rootBox.rectangle.y + root.clientTop };
    for (const box of boxes) {
      if (box.position !== 'absolute' || box === rootBox) continue;
      if (box.pseudo) {
        const now = used(box.style);
        if (Object.keys(now).some((name) => now[name] !== box.used[name])) box.pin(origin);
      } else if (box.isMisplaced()) {
        box.pin(origin);
        correct(box);
      }
    }
  }

  function correct(box) {
    const { x, y } = box.distance(moved);
    if (!x && !y) return;
    box.top -= steps(y);
    box.left -= steps(x);
    box.set({ top: css(box.top - (attached.includes(box) ? moved * 64 : 0)), left: css(box.left) });
  }

  // True where a box of this element that is `fixed` would not move with the root.
  function fixesToViewport(element) {
    const probe = document.createElement('i');
    probe.style.cssText = 'all: initial; position: fixed; top: 0; left: 0';
    element.append(probe);
    const { y } = probe.getBoundingClientRect();
    probe.remove();
    return Math.abs(y) < tolerance;
  }

  // To be called with the root moved: what has not moved is attached to the viewport.
  function findAttached(boxes) {
    for (const box of boxes) {
      if (!box.isAbsolute || box === rootBox) continue;
      if (box.pseudo) {
        if (box.position !== 'fixed' || box.used.top === 'auto' || !fixesToViewport(box.element)) continue;
        box.pin({ x: 0, y: 0 });
        attached.push(box);
      } else if (Math.abs(box.distance(moved).y) > tolerance) {
        box.pin({ x: 0, y: 0 });
        attached.push(box);
        box.set({ top: css(box.top - moved * 64) });
        correct(box);
      }
    }
  }

  // Moves the document up by so many layout px.
  function move(by) {
    moved = by;
    rootBox.set({ top: css(rootBox.top - by * 64) });
    for (const box of attached) box.set({ top: css(box.top - by * 64) });
    for (const { box, layers } of backgrounds) {
      const places = layers.map(({ place, moves }) => moves ? `calc(${place} - ${by / zoom}px)` : place);
      box.set({ 'background-position-y': places.join(', ') });
    }
  }

  let anchor;

  function addAnchor() {
    anchor = document.createElement('div');
    anchor.setAttribute('popover', 'manual');
    anchor.style.cssText = 'all: initial !important; position: absolute !important; inset: 0 auto auto 0 !important;'
      + 'display: block !important; visibility: hidden !important; pointer-events: none !important;';
    root.insertBefore(anchor, root.firstChild);
    anchor.showPopover();
  }

  // Layout px of the document, the viewport at least: the one size that is told without rounding to CSS px is how far it can
  // be scrolled. Nil where it cannot.
  function documentHeight() {
    if (root.scrollHeight <= innerHeight) return null;
    scrollTo(0, root.scrollHeight);
    const { pageTop, height } = visualViewport;
    scrollTo(0, 0);
    return pageTop > 0 ? Math.round((pageTop + height) * zoom) : null;
  }

  // Makes the document ready to be moved. `misplaced` counts the elements that are not where they were then.
  function prepare(pageZoom) {
    zoom = pageZoom;
    const height = zoom === 1 ? null : documentHeight();
    const boxes = collect(document, []);
    rootBox = boxes.find(({ element, pseudo }) => element === root && !pseudo);
    findBackgrounds(boxes);
    holdSticky(boxes);
    fixRoot();
    holdAbsolute(boxes);
    move(4096);
    findAttached(boxes);
    move(4096);
    const misplaced = boxes.filter((box) => !box.pseudo && box.isMisplaced(moved));
    addAnchor();
    return JSON.stringify({ height, misplaced: misplaced.length, first: misplaced[0]?.element.localName });
  }

  // Brings a tile to the origin. All in layout px. Returns by how much it is off, in their 64ths: 0.
  function show(top, width, height) {
    anchor.style.setProperty('width', css(width * 64), 'important');
    anchor.style.setProperty('height', css(height * 64), 'important');
    move(top);
    return String(steps(rootBox.distance(moved).y));
  }

  return { prepare, show };
})();
