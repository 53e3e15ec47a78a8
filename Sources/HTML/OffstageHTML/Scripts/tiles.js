// Evaluated in Offstage's script world, once a document is ready, if its picture does not fit into one snapshot.
//
// WebKit's snapshot of a whole document begins at the document's origin and covers everything that overflows the viewport. So
// this makes the root element `position: fixed`, which causes no overflow, and moves it up by the height above the tile. An
// invisible element in the top layer, the only overflow left, sets the size of the tile. The viewport keeps its size, and so do
// the units and media queries that depend on it.
//
// Boxes that don't move with the root are moved separately: `fixed` boxes, the canvas background, and backgrounds attached to the
// viewport. They and `sticky` boxes are placed as in a single snapshot of the whole document, for which WebKit lays them out as
// if the viewport were as large as the document.
'use strict';
globalThis.offstageTiles = (() => {
  const { get, call, find, rectangle, above } = offstageDOM;
  const root = get(document, 'documentElement');
  const body = get(document, 'body');
  // The layout grid has 64 steps per CSS px.
  const steps = (px) => Math.round(px * 64);
  // A length that layout, which truncates to whole steps, turns into exactly this many steps.
  const css = (count) => `${(count + Math.sign(count) / 4) / 64}px`;
  // In CSS px. Larger than rounding errors, smaller than a visible difference.
  const tolerance = 0.1;
  // The distance that the document is currently moved up, in CSS px.
  let moved = 0;

  const used = ({ top, left, width, height, marginTop, marginRight, marginBottom, marginLeft }) =>
    ({ top, left, width, height, marginTop, marginRight, marginBottom, marginLeft });

  // An element or a pseudo-element (::before or ::after).
  class Box {
    constructor(element, pseudo, style) {
      this.element = element;
      this.pseudo = pseudo;
      this.position = style.position;
      if (this.position === 'fixed' || this.position === 'absolute') this.used = used(style);
    }

    get style() { return getComputedStyle(this.element, this.pseudo); }

    set(properties) {
      // Elements of unknown XML vocabularies have no style either.
      this.declarations ??= (this.pseudo ? null : offstageDOM.styleOf(this.element)) ?? rule(this);
      // Without this, a value would take effect only at the end of a transition, and the clock is stopped.
      this.declarations.setProperty('transition', 'none', 'important');
      for (const [name, value] of Object.entries(properties)) this.declarations.setProperty(name, value, 'important');
    }

    // The specified values, including percentages. For a pseudo-element, the values that matter here are derived in other ways.
    get written() {
      if (!this.pseudo) {
        const map = call(this.element, 'computedStyleMap');
        return (name) => `${map.get(name)}`;
      }
      this.set({ position: 'static' });
      const { top, right, bottom, left } = this.style;
      this.declarations.removeProperty('position');
      // Setting its height is always safe, because no box inside depends on it.
      const values = { top, right, bottom, left, height: '100%' };
      return (name) => values[name] ?? '';
    }

    // Elements without boxes have no rectangle.
    remember() {
      this.rectangle = this.pseudo || !call(this.element, 'getClientRects').length ? null : rectangle(this.element);
    }

    // The distance in CSS px that the box has moved from its remembered position, apart from moves of the whole document.
    distance() {
      const { x, y } = rectangle(this.element);
      return { x: x - this.rectangle.x, y: y - this.rectangle.y + moved };
    }

    isMisplaced() {
      if (!this.rectangle) return false;
      const { width, height } = rectangle(this.element);
      const { x, y } = this.distance();
      return [x, y, width - this.rectangle.width, height - this.rectangle.height].some((one) => Math.abs(one) > tolerance);
    }

    // Sets the position and size in absolute units, relative to a point in the containing block (CSS px). If both sides are auto,
    // the box has its position in the flow: the current one, or, with `staysInFlow`, whichever the flow gives it.
    pin({ x, y, staysInFlow }) {
      const written = this.written;
      const isAuto = (...names) => names.every((name) => written(name) === 'auto');
      const isRelative = (...names) => names.some((name) => written(name).includes('%'));
      const { width, height, marginTop, marginRight, marginBottom, marginLeft } = this.used;
      const place = { ...used(this.style) };
      if (!isAuto('top', 'bottom')) place.top = this.used.top;
      if (!isAuto('left', 'right')) place.left = this.used.left;
      this.set({ width, 'min-width': '0', 'max-width': 'none' });
      if (!isAuto('height') || !isAuto('top') && !isAuto('bottom') || isRelative('min-height', 'max-height')) {
        this.set({ height, 'min-height': '0', 'max-height': 'none' });
      }
      if (!staysInFlow || !isAuto('left', 'right')) {
        this.left = steps(parseFloat(place.left) - x);
        this.set({ left: css(this.left), right: 'auto', 'margin-left': marginLeft, 'margin-right': marginRight });
      }
      if (!staysInFlow || !isAuto('top', 'bottom')) {
        this.top = steps(parseFloat(place.top) - y);
        this.set({ top: css(this.top), bottom: 'auto', 'margin-top': marginTop, 'margin-bottom': marginBottom });
      }
    }
  }

  // The declarations of a rule for elements without a style attribute. No other rule has a higher specificity.
  const sheets = new Map();
  let rules = 0;
  function rule({ element, pseudo }) {
    const scope = call(element, 'getRootNode');
    // A document of an unknown XML vocabulary has no head; use the root.
    const place = scope === document ? get(document, 'head') ?? root : scope;
    if (!sheets.has(scope)) sheets.set(scope, place.appendChild(call(document, 'createElement', 'style')).sheet);
    const sheet = sheets.get(scope);
    const mark = `data-offstage-tiles-${++rules}`;
    call(element, 'setAttribute', mark, '');
    const index = sheet.insertRule(`[${mark}]:not(#a#b#c#d#e)${pseudo ?? ''} {}`, sheet.cssRules.length);
    return sheet.cssRules[index].style;
  }

  function collect(scope, boxes) {
    for (const element of find(scope, '*')) {
      boxes.push(new Box(element, null, getComputedStyle(element)));
      for (const pseudo of ['::before', '::after']) {
        const style = getComputedStyle(element, pseudo);
        if (style.content !== 'none' && style.content !== 'normal') boxes.push(new Box(element, pseudo, style));
      }
      const inner = offstageDOM.shadowRoot(element);
      if (inner) collect(inner, boxes);
    }
    return boxes;
  }

  // Runs `body` while the root has other properties.
  function withRoot(properties, body) {
    const before = offstageDOM.styleOf(root)?.cssText ?? '';
    rootBox.set(properties);
    body();
    rootBox.declarations.cssText = `${before}; transition: none !important`;
  }

  // Boxes that are `fixed` to the viewport, or in the top layer.
  const attached = [];

  // True if an ancestor is the containing block of `fixed` boxes instead of the viewport (CSS Positioned Layout 3, 2.1). A wrong
  // answer moves the box too far or not at all, which `isMisplaced` detects.
  function holds(element) {
    if (!element || element === root) return false;
    const style = getComputedStyle(element);
    const isSet = (...names) => names.some((name) => (style[name] ?? 'none') !== 'none');
    return isSet('transform', 'translate', 'rotate', 'scale', 'perspective', 'filter', 'backdropFilter', 'webkitBackdropFilter', 'offsetPath')
      || /transform|translate|rotate|scale|perspective|filter|offset|contain/.test(style.willChange)
      || /layout|paint|strict|content/.test(style.contain) || (style.containerType ?? 'normal') !== 'normal'
      || /auto|hidden/.test(style.contentVisibility) || holds(around(element));
  }

  const around = (element) => get(element, 'assignedSlot') ?? above(element) ?? call(element, 'getRootNode').host;

  // If only the box's position depends on the viewport, and only on its height, updates that position and returns true.
  function follows(box, { width, height }) {
    const { written } = box;
    const isSet = (name) => written(name) !== 'auto';
    const goesBy = ['top', 'bottom', 'height', 'min-height', 'max-height'].some((name) => written(name).includes('%'));
    if (width !== innerWidth || goesBy || isSet('top') && isSet('bottom')) return false;
    if (isSet('bottom')) box.used.top = `${parseFloat(box.used.top) + height - innerHeight}px`;
    return true;
  }

  function holdFixed(boxes, viewport) {
    const found = boxes.filter(({ position, pseudo, element }) => position === 'fixed' && !holds(pseudo ? element : around(element)));
    if (!found.length) return;
    // With a transform, the root becomes the containing block of `fixed` boxes.
    const containing = {
      top: '0', left: '0', margin: '0', border: '0', 'box-sizing': 'border-box', transform: 'translateX(0)',
      'min-width': '0', 'max-width': 'none', 'min-height': '0', 'max-height': 'none',
      width: css(steps(viewport.width)), height: css(steps(viewport.height)),
    };
    const others = found.filter((box) => !follows(box, viewport));
    // This lays out the whole document twice, so it is done only for boxes that need it.
    if (others.length) {
      withRoot(containing, () => {
        for (const box of others) box.used = used(box.style);
      });
    }
    for (const box of found) {
      box.pin({ x: 0, y: 0 });
      attached.push(box);
    }
    // Remember the correct positions of these boxes and their contents.
    for (const box of boxes) if (found.some(({ element, pseudo }) => !pseudo && call(element, 'contains', box.element))) box.remember();
  }

  function holdSticky(boxes, viewport) {
    const sticky = boxes.filter(({ position }) => position === 'sticky');
    for (const box of sticky) {
      box.remember();
      const { top, right, bottom, left } = box.style;
      box.insets = { top, right, bottom, left };
    }
    // `relative` keeps the stacking context and the containing block, without sticking. A pseudo-element's position cannot be
    // measured, so its horizontal insets stay.
    for (const box of sticky) box.set({ top: 'auto', bottom: 'auto', ...(!box.pseudo && { right: 'auto', left: 'auto' }) });
    for (const box of sticky) {
      if (!box.rectangle) continue;
      const { x, y } = scrolls(above(box.element)) ? box.distance() : stuck(box, viewport);
      if (Math.abs(x) < tolerance && Math.abs(y) < tolerance) continue;
      box.set({ position: 'relative', isolation: 'isolate', top: css(steps(-y)), left: css(steps(-x)) });
    }
  }

  // True if the element or an ancestor scrolls. The root and the body don't count, because the viewport scrolls them.
  function scrolls(element) {
    if (!element || element === body || element === root) return false;
    return /auto|scroll|hidden/.test(getComputedStyle(element).overflowY) || scrolls(above(element));
  }

  // The distance by which `sticky` has moved a box from its natural position (CSS Positioned Layout 3, 3.4), with the sign of
  // `distance`.
  function stuck({ element, insets }, viewport) {
    const [box, block, style] = [
      rectangle(element), rectangle(call(element, 'closest', 'table') ?? above(element)), getComputedStyle(element),
    ];
    const inset = (value, whole) => value.endsWith('%') ? parseFloat(value) / 100 * whole : parseFloat(value);
    const along = (start, end, first, last, size) => {
      const low = box[first] - (Number.isNaN(start) ? -Infinity : start);
      if (low < 0) return Math.max(low, Math.min(0, box[last] + parseFloat(style.getPropertyValue(`margin-${last}`)) - block[last]));
      const high = box[last] - (Number.isNaN(end) ? Infinity : size - end);
      if (high > 0) return Math.min(high, Math.max(0, box[first] - parseFloat(style.getPropertyValue(`margin-${first}`)) - block[first]));
      return 0;
    };
    return {
      x: along(inset(insets.left, viewport.width), inset(insets.right, viewport.width), 'left', 'right', viewport.width),
      y: along(inset(insets.top, viewport.height), inset(insets.bottom, viewport.height), 'top', 'bottom', viewport.height),
    };
  }

  let rootBox;

  function fixRoot() {
    const { width, height, marginRight, marginLeft } = rootBox.style;
    const { x, y } = root.getBoundingClientRect();
    // Keep the current size: in quirks mode the root stretches to the viewport only while it is in flow.
    const isHigh = rootBox.written('height') !== 'auto';
    rootBox.set({
      position: 'fixed', inset: '0 auto auto 0', width, 'min-width': '0', 'max-width': 'none', 'min-height': height, 'max-height': 'none',
      ...(isHigh && { height }), 'margin-left': marginLeft, 'margin-right': marginRight,
    });
    const now = root.getBoundingClientRect();
    rootBox.top = steps(y - now.y);
    rootBox.set({ top: css(rootBox.top), left: css(steps(x - now.x)) });
  }

  // Boxes whose containing block was the initial one are now positioned in the root's padding box.
  function holdAbsolute(boxes) {
    const origin = { x: rootBox.rectangle.x + root.clientLeft, y: rootBox.rectangle.y + root.clientTop, staysInFlow: true };
    for (const box of boxes) {
      if (box.position !== 'absolute' || box === rootBox) continue;
      if (box.pseudo) {
        const now = used(box.style);
        if (Object.keys(now).some((name) => now[name] !== box.used[name])) box.pin(origin);
      } else if (box.isMisplaced()) {
        box.pin(origin);
        const { x, y } = box.distance();
        if (box.left !== undefined) box.set({ left: css(box.left -= steps(x)) });
        if (box.top !== undefined) box.set({ top: css(box.top -= steps(y)) });
      }
    }
  }

  // Boxes in the top layer did not move with the root. Call this while the root is moved.
  function holdTopLayer(boxes) {
    for (const box of boxes) {
      if (box.position !== 'absolute' || !box.rectangle || box === rootBox) continue;
      if (Math.abs(box.distance().y - moved) > tolerance) continue;
      box.pin({ x: 0, y: 0 });
      attached.push(box);
    }
  }

  // The canvas background, and other backgrounds that are `fixed`.
  const backgrounds = [];

  function findBackgrounds(boxes) {
    const hasBackground = ({ style }) => style.backgroundImage !== 'none' || !/(, 0|\/ 0)\)$/.test(style.backgroundColor);
    const isContained = ({ style }) => style.contain !== 'none' || (style.containerType ?? 'normal') !== 'normal';
    const ends = boxes.filter(({ element, pseudo }) => !pseudo && (element === root || element === body));
    // The background of the root, or else of the body, covers the canvas (CSS Backgrounds 3, 2.11).
    const canvas = ends.find(hasBackground);
    // Commas also separate a function's arguments.
    const list = (text) => text.split(/,\s*(?![^()]*(?:\([^()]*\)[^()]*)*\))/);
    for (const box of boxes) {
      const { style } = box;
      if (style.backgroundImage === 'none') continue;
      const isCanvas = box === canvas && (box.element === root || !ends.some(isContained));
      const attachments = list(style.backgroundAttachment);
      if (!isCanvas && !attachments.includes('fixed')) continue;
      const places = list(style.backgroundPositionY);
      const sizes = list(style.backgroundSize);
      const of = (values, index) => values[index % values.length];
      backgrounds.push({ box, isCanvas, layers: list(style.backgroundImage).map((_, index) => ({
        place: of(places, index), size: of(sizes, index), isFixed: of(attachments, index) === 'fixed',
      })) });
    }
  }

  function moveBackground({ box, isCanvas, layers }) {
    if (isCanvas) {
      box.set({ 'background-position-y': layers.map(({ place }) => `calc(${place} - ${moved}px)`).join(', ') });
    } else {
      // WebKit paints these backgrounds only within the viewport, so only in the first tile. A size of 0 hides them; setting the
      // image again would load it again.
      box.set({ 'background-size': layers.map(({ size, isFixed }) => moved && isFixed ? '0' : size).join(', ') });
    }
  }

  // Moves the document up by this distance in CSS px.
  function move(by) {
    moved = by;
    rootBox.set({ top: css(rootBox.top - by * 64) });
    for (const box of attached) box.set({ top: css(box.top - by * 64) });
    for (const background of backgrounds) moveBackground(background);
  }

  let anchor;

  function addAnchor() {
    anchor = call(document, 'createElement', 'div');
    anchor.setAttribute('popover', 'manual');
    anchor.style.cssText = 'all: initial !important; position: absolute !important; inset: 0 auto auto 0 !important;'
      + 'display: block !important; visibility: hidden !important; pointer-events: none !important;';
    root.insertBefore(anchor, root.firstChild);
    anchor.showPopover();
  }

  // Prepares the document to be moved. `misplaced` counts the elements that don't move correctly.
  function prepare() {
    const viewport = {
      width: Math.max(root.scrollWidth, innerWidth),
      height: Math.max(root.scrollHeight, innerHeight),
    };
    const boxes = collect(document, []);
    rootBox = boxes.find(({ element, pseudo }) => element === root && !pseudo);
    findBackgrounds(boxes);
    holdSticky(boxes, viewport);
    for (const box of boxes) box.remember();
    fixRoot();
    holdAbsolute(boxes);
    holdFixed(boxes, viewport);
    move(4096);
    holdTopLayer(boxes);
    move(4096);
    addAnchor();
    const misplaced = boxes.filter((box) => box.isMisplaced());
    return JSON.stringify({ misplaced: misplaced.length, first: misplaced[0] && offstageDOM.nameOf(misplaced[0].element) });
  }

  // Moves a tile to the origin. Arguments are in CSS px. Returns the remaining error in 1/64 px, which should be 0.
  function show(top, width, height) {
    anchor.style.setProperty('width', css(width * 64), 'important');
    anchor.style.setProperty('height', css(height * 64), 'important');
    move(top);
    offstageFilters?.hide(width, height);
    return String(steps(rootBox.distance().y));
  }

  return { prepare, show };
})();
