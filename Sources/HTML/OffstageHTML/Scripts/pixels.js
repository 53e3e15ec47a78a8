// Rasterizes content that WebKit cannot write into a PDF file. WebKit leaves out SVG masks, clip paths of more than one shape,
// masks with `mask-composite`, and the blend mode `plus-lighter`. It mixes fading colours with grey, or writes them so that PDF
// readers show nothing. Some readers show repeating gradients wrongly, and all of them smooth images that must not be smoothed.
// A filter that changes nothing makes WebKit paint an element and its contents as pixels, in the same position and order. If only
// a style's gradient needs this, the text on it remains text. Evaluated after `doubt.js` and before `print.js`.
const offstagePixels = (() => {
  'use strict';
  const { get, call, find, set: assign, rectangle, nameOf, above, children, attribute, styleOf } = offstageDOM;
  const { filter, doubt, images, named } = offstageDoubt;

  const imageProperties = ['background-image', 'border-image-source', 'list-style-image', 'mask-image', '-webkit-mask-box-image-source'];

  // True if a clip path has more than one shape. WebKit implements such a path as a mask.
  function isMask(clipPath, root) {
    const [, name] = clipPath.match(/^url\("?#(.*?)"?\)/) ?? [];
    if (name === undefined) return false;
    const element = find(root, `[id="${CSS.escape(name)}"]`)[0];
    if (!element || nameOf(element) !== 'clipPath') return false;
    const shapes = [...children(element)].filter((child) => !/^(?:title|desc|metadata|animate.*|set|style|script)$/.test(nameOf(child)));
    if (getComputedStyle(element).clipPath !== 'none' || shapes.length > 1) return true;
    return shapes.some((shape) => /^(?:text|use)$/.test(nameOf(shape)) || getComputedStyle(shape).clipPath !== 'none');
  }

  const isLighter = (style) => /^plus-/.test(style.mixBlendMode);
  const isComposite = (style) => style.maskImage !== 'none' && /subtract|intersect|exclude|source|xor/.test(style.maskComposite);
  const isUnreadable = (element) => /^(?:iframe|frame|object|embed)$/.test(nameOf(element)) && !get(element, 'contentDocument');
  const source = (element) => ['poster', 'currentSrc', 'src', 'data'].map((name) => get(element, name)).find(Boolean);
  const linked = (element) => attribute(element, 'href') ?? attribute(element, 'xlink:href');
  const isRough = (style) => /pixelated|crisp-edges/.test(style.imageRendering);
  // True for an element that shows an image of pixels. A filter on the root or the body does not reach the canvas.
  const showsImage = (element, style) => nameOf(element) === 'canvas'
    || /^(?:img|input|video)$/.test(nameOf(element)) && !/svg/i.test((source(element) ?? '').slice(0, 300))
    || /url\(/.test(style.backgroundImage) && element !== get(document, 'body') && element !== get(document, 'documentElement');
  const replaced = /^(?:img|input|video|iframe|frame|object|embed)$/;

  function pixelate(element) {
    const style = styleOf(element);
    const before = getComputedStyle(element).filter;
    if (!style || before.includes(filter)) return;
    style.setProperty('filter', before === 'none' ? filter : `${before} ${filter}`, 'important');
  }

  // Rasterizes the nearest suitable ancestor: a filter on the element itself would mask the pixels once more. The filter must not
  // make the ancestor a containing block that moves its contents, and must not isolate blending contents from their backdrop. The
  // document's root already has both properties.
  function pixelateAround(element, mustIsolate, hasBlends) {
    const root = get(get(element, 'ownerDocument'), 'documentElement');
    for (let one = parent(element); one; one = parent(one)) if (getComputedStyle(one).filter.includes(filter)) return;
    let tries = 8;
    for (let one = parent(element); one && one !== root && tries > 0; one = parent(one)) {
      const isIsolated = isolates(getComputedStyle(one));
      if (mustIsolate && !isIsolated) continue;
      tries -= 1;
      const style = styleOf(one);
      if (!style) continue;
      const [own, priority] = [style.getPropertyValue('filter'), style.getPropertyPriority('filter')];
      const inside = [...find(one, '*')];
      if (hasBlends && !isIsolated && inside.some((each) => getComputedStyle(each).mixBlendMode !== 'normal')) continue;
      const places = inside.map(place);
      pixelate(one);
      if (inside.every((each, index) => place(each) === places[index])) return;
      style.removeProperty('filter');
      if (own) style.setProperty('filter', own, priority);
    }
    pixelate(root);
  }

  const parent = (element) => above(element) ?? get(call(element, 'getRootNode'), 'host');
  const place = (element) => {
    const { x, y, width, height } = rectangle(element);
    return `${x} ${y} ${width} ${height}`;
  };
  const isolates = (style) => style.isolation === 'isolate' || style.opacity < 1 || style.transform !== 'none' || style.filter !== 'none'
    || style.mixBlendMode !== 'normal' || style.clipPath !== 'none' || style.maskImage !== 'none' || /^(?:fixed|sticky)$/.test(style.position)
    || style.position !== 'static' && style.zIndex !== 'auto';

  // Not `instanceof`, because elements in a frame have classes of their own.
  const isSVG = (element) => get(element, 'namespaceURI') === 'http://www.w3.org/2000/svg';
  // True if the element is painted by an SVG element around it.
  const isInDrawing = (element) => isSVG(element) && above(element) !== null && isSVG(above(element)) && nameOf(above(element)) !== 'foreignObject';

  // The outermost SVG element that contains this one.
  function drawing(element) {
    let found = element;
    while (isInDrawing(found)) found = above(found);
    return found;
  }

  // The gradients in a tree that repeat beyond their ends, or whose templates do, by their ids.
  function repeating(one) {
    const gradients = [...find(one, 'linearGradient, radialGradient')];
    const found = new Set();
    for (let isNew = gradients.length > 0; isNew;) {
      const more = gradients.filter((each) => !found.has(get(each, 'id'))
        && (/repeat|reflect/.test(attribute(each, 'spreadMethod') ?? '') || found.has((linked(each) ?? '').replace(/^#/, ''))));
      for (const each of more) found.add(get(each, 'id'));
      isNew = more.length > 0;
    }
    return found;
  }

  const paints = (style, gradients) => [style.fill, style.stroke].some((paint) => {
    const [, name] = paint?.match(/^url\("?[^")]*#(.*?)"?\)/) ?? [];
    return name !== undefined && gradients.has(name);
  });

  const words = /mask|clip|gradient|plus-|url\(|pixelated|crisp-edges|\\/i;
  const inline = '[style*="mask" i], [style*="image-rendering" i], [image-rendering], linearGradient, radialGradient, [style*="clip" i], [style*="gradient" i], [style*="plus-" i], [style*="url(" i], [style*="\\\\"], '
    + 'mask, clipPath, image, img, input[type="image" i], video, iframe, frame, object, embed, [background]';

  function root(one, isDoubtful) {
    if (!offstageStill.mayStyle(one, words, inline)) return;
    const rules = [];
    const drawings = new Set();
    const around = new Map();
    const gradients = repeating(one);
    let hasBlends = false;
    for (const element of find(one, '*')) {
      const style = getComputedStyle(element);
      if (isInDrawing(element)) {
        if (nameOf(element) === 'mask' || nameOf(element) === 'clipPath') continue;
        if (style.maskImage !== 'none' || isMask(style.clipPath, one) || isLighter(style)
          || gradients.size > 0 && paints(style, gradients) || nameOf(element) === 'image' && isRough(style)
          || /^(?:image|feImage)$/.test(nameOf(element)) && isDoubtful(linked(element), element)) drawings.add(element);
        continue;
      }
      if (isRough(style) && showsImage(element, style)) pixelate(element);
      for (const [pseudo, shown] of [[null, style], ['::before'], ['::after']]) {
        const its = shown ?? getComputedStyle(element, pseudo);
        if (pseudo && /^(?:none|normal)$/.test(its.content)) continue;
        // Replacing an image in `content` would load it again.
        if (/url\(/.test(its.content) && named(its.content).some((url) => isDoubtful(url, element))) {
          if (pseudo) rules.push([element, pseudo, 'filter', its.filter === 'none' ? filter : `${its.filter} ${filter}`]);
          else pixelate(element);
        }
        const isCanvas = !pseudo && (element === get(document, 'body') || element === get(document, 'documentElement'));
        for (const property of imageProperties) {
          const value = its.getPropertyValue(property);
          if (!isCanvas && value && named(value).some((url) => isDoubtful(url, element))) {
            if (pseudo) rules.push([element, pseudo, 'filter', its.filter === 'none' ? filter : `${its.filter} ${filter}`]);
            if (/mask/.test(property)) around.set(element, false);
            else if (!pseudo) pixelate(element);
          }
          const changed = images(value, property, its, isCanvas && ((url) => isDoubtful(url, element)));
          if (changed === undefined) continue;
          if (changed === null) {
            if (!pseudo) pixelate(element);
            continue;
          }
          if (pseudo) rules.push([element, pseudo, property, changed]);
          else styleOf(element)?.setProperty(property, changed, 'important');
        }
        hasBlends ||= its.mixBlendMode !== 'normal';
        if (isMask(its.clipPath, one) || isComposite(its) || isLighter(its)) {
          if (pseudo && !isLighter(its)) pixelate(element);
          else around.set(element, isLighter(its));
        }
      }
      if (!replaced.test(nameOf(element))) continue;
      const isShown = !/^(?:iframe|frame|object|embed)$/.test(nameOf(element)) || isUnreadable(element);
      if (isShown && isDoubtful(source(element), element)) pixelate(element);
    }
    // `<use>` may show a doubtful part of another drawing.
    if (drawings.size > 0) for (const use of find(one, 'use')) drawings.add(use);
    for (const svg of new Set([...drawings].map(drawing))) pixelate(svg);
    // Start with those that need the largest ancestor.
    for (const [element, mustIsolate] of [...around].sort(([, one], [, other]) => other - one)) {
      pixelateAround(element, mustIsolate, hasBlends);
    }
    if (rules.length === 0) return;
    const sheet = new (get(get(one, 'ownerDocument') ?? one, 'defaultView').CSSStyleSheet)();
    sheet.replaceSync(rules.map(([element, pseudo, property, value], index) => {
      call(element, 'setAttribute', `data-offstage-pixels-${index}`, '');
      return `[data-offstage-pixels-${index}]${pseudo} { ${property}: ${value} !important }`;
    }).join('\n'));
    assign(one, 'adoptedStyleSheets', [...get(one, 'adoptedStyleSheets'), sheet]);
  }

  // `files` lists the URLs of the base folder's SVG files that WebKit prints incompletely.
  return (files) => {
    const isDoubtful = doubt(files);
    for (const one of offstageImages.roots(offstage.documents(), true)) root(one, isDoubtful);
  };
})();
