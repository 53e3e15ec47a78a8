// Returns true if the document certainly shows something in one of the boxes (document coordinates, CSS px) in a colour other
// than this one (red, green, blue and alpha, 0 to 255). Called when a picture has only one colour, which may be correct, so only
// content that nothing can hide counts.
function showsSomething(boxes, color) {
  const { get, call, find, rectangle, nameOf, above, isRendered } = offstageDOM;
  const root = get(document, 'documentElement');
  const body = get(document, 'body');
  const differs = (css) => {
    const [, red, green, blue, alpha = 1] = css.match(/^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/) ?? [];
    if (red === undefined || alpha < 0.9) return false;
    return color[3] < 128 || [red, green, blue].some((value, index) => Math.abs(value - color[index]) > 64);
  };
  // True if the boxes show at least 2 CSS px of the rectangle in each direction.
  const isInside = ({ left, top, right, bottom }) => boxes.some((box) =>
    Math.min(right + scrollX, box.x + box.width) - Math.max(left + scrollX, box.x) >= 2
    && Math.min(bottom + scrollY, box.y + box.height) - Math.max(top + scrollY, box.y) >= 2);

  const ancestors = (element) => {
    const all = [];
    for (let one = element; one; one = above(one)) all.push(one);
    return all;
  };
  const paints = (style) => style.backgroundImage !== 'none' || !/^(transparent|rgba\(.*, 0\))$/.test(style.backgroundColor);
  const isReplaced = (element) => /^(img|canvas|video|object|embed|iframe|svg|input|textarea|select|button|meter|progress)$/.test(nameOf(element));
  let painted = null;

  // True if all ancestors are plain boxes and nothing else is in the same place.
  function isPlain(element, place) {
    const line = ancestors(element);
    for (const one of line) {
      const style = getComputedStyle(one);
      if (style.opacity < 0.9 || style.filter !== 'none' || style.mixBlendMode !== 'normal' || style.clipPath !== 'none'
        || style.maskImage !== 'none' || style.transform !== 'none' || style.clip !== 'auto' || style.zIndex < 0
        || style.position === 'fixed' || style.writingMode !== 'horizontal-tb') return false;
      if (style.overflow !== 'visible' && one !== root && one !== body) {
        const { left, top, right, bottom } = rectangle(one);
        if (place.left < left || place.top < top || place.right > right || place.bottom > bottom) return false;
      }
      for (const pseudo of ['::before', '::after']) {
        const { content, position } = getComputedStyle(one, pseudo);
        if (content !== 'none' && content !== 'normal' && position !== 'static') return false;
      }
    }
    painted ??= [...find(body, '*')].filter((one) => isReplaced(one) || paints(getComputedStyle(one)));
    return !painted.some((one) => {
      if (line.includes(one)) return false;
      const { left, top, right, bottom } = rectangle(one);
      return left < place.right && right > place.left && top < place.bottom && bottom > place.top;
    });
  }

  const shows = (element, place) =>
    isInside(place) && isRendered(element, { visibilityProperty: true }) && isPlain(element, place);

  function hasText() {
    const walk = call(document, 'createTreeWalker', body, NodeFilter.SHOW_TEXT);
    const range = call(document, 'createRange');
    while (walk.nextNode()) {
      const { data, parentElement } = walk.currentNode;
      if (!/[\p{L}\p{N}]/u.test(data)) continue;
      const style = getComputedStyle(parentElement);
      if (!differs(style.webkitTextFillColor) || parseFloat(style.fontSize) < 6) continue;
      range.selectNodeContents(walk.currentNode);
      const place = [...range.getClientRects()].find(({ width, height }) => width >= 4 && height >= 4);
      if (place && shows(parentElement, place)) return true;
    }
    return false;
  }

  function hasBox() {
    for (const element of find(body, '*')) {
      const style = getComputedStyle(element);
      const place = rectangle(element);
      if (element instanceof SVGElement) continue;
      if (differs(style.backgroundColor) && style.backgroundImage === 'none' && style.backgroundClip === 'border-box' && shows(element, place)) return true;
      if (style.borderTopStyle === 'solid' && parseFloat(style.borderTopWidth) >= 2 && differs(style.borderTopColor)
        && shows(element, new DOMRect(place.x, place.y, place.width, parseFloat(style.borderTopWidth)))) return true;
      if (nameOf(element) === 'img' && isImage(element) && shows(element, place)) return true;
    }
    return false;
  }

  // True if an image has no pixel of the colour, however it is scaled or cropped.
  function isImage(image) {
    if (!image.complete || !image.naturalWidth) return false;
    const canvas = call(document, 'createElement', 'canvas');
    canvas.width = canvas.height = 8;
    const context = canvas.getContext('2d');
    try {
      context.drawImage(image, 0, 0, 8, 8);
      const { data } = context.getImageData(0, 0, 8, 8);
      return Array.from({ length: 64 }, (_, index) => data.slice(4 * index, 4 * index + 4))
        .every(([red, green, blue, alpha]) => alpha > 250 && differs(`rgb(${red}, ${green}, ${blue})`));
    } catch {
      return false;
    }
  }

  return body ? hasText() || hasBox() : false;
}
