// Makes pixels of what WebKit cannot write into a PDF file: it leaves out masks of SVG, clip paths that are not one shape, masks with
// `mask-composite` and the blend mode `plus-lighter`, and mixes colours that fade away with grey, or so that readers show nothing.
// A filter that changes nothing is painted as pixels, with everything in the element, at its place and in its order. Where only an
// gradient of the style needs it, the text on it stays text. Evaluated before `print.js`.
const offstagePixels = (() => {
  'use strict';
  const { get, call, find, set: assign, rectangle, nameOf, above, children, attribute, styleOf } = offstageDOM;
  // WebKit leaves out filters that are known to change nothing; this one it paints.
  const filter = 'hue-rotate(360deg)';

  // Whether WebKit prints an SVG image without a part of it, as far as its text tells.
  const isDoubtfulText = (text) => /<(?:[\w-]+:)?mask\b|plus-lighter|data:image\/svg/i.test(text)
    || [...text.matchAll(/<(?:[\w-]+:)?clippath\b([^]*?)(?:<\/(?:[\w-]+:)?clippath|$)/gi)].some(
      ([, inside]) => inside.match(/<\w/g)?.length !== 1 || /<(?:[\w-]+:)?(?:text|use|g)\b|clip-path/i.test(inside));

  function decoded(url) {
    const [, isEncoded, content] = url.match(/^data:[^,]*?(;\s*base64\s*)?,([^]*)$/i) ?? [];
    try {
      return isEncoded ? atob(decodeURIComponent(content)) : decodeURIComponent(content ?? '');
    } catch {
      return content ?? '';
    }
  }

  // `files` are the doubtful files of the base folder. What comes from a host is unknown, but for its name.
  function doubt(files) {
    const known = new Set(files);
    const told = new Map();
    const judge = (url) => {
      if (/^data:/i.test(url)) return /^data:[^,]*(?:svg|html|xml)/i.test(url) && isDoubtfulText(decoded(url));
      if (/^https?:/i.test(url)) return !/\.(?:png|apng|jpe?g|gif|webp|avif|bmp|ico)(?:[?#]|$)/i.test(url);
      return known.has(url.split('#')[0]);
    };
    return (url, element) => {
      if (!url) return false;
      const absolute = URL.parse(url, get(element ?? document, 'baseURI'))?.href ?? url;
      if (!told.has(absolute)) told.set(absolute, judge(absolute));
      return told.get(absolute);
    };
  }

  // The parts of a list, such as the images of a background.
  function layers(list) {
    const parts = [''];
    let [depth, quote] = [0, ''];
    for (let index = 0; index < list.length; index += 1) {
      const sign = list[index];
      if (quote) {
        if (sign === '\\') parts.push(parts.pop() + list[index++]);
        else if (sign === quote) quote = '';
      } else if (sign === '"' || sign === "'") quote = sign;
      else if (sign === '(') depth += 1;
      else if (sign === ')') depth -= 1;
      else if (sign === ',' && depth === 0) {
        parts.push('');
        continue;
      }
      parts.push(parts.pop() + list[index]);
    }
    return parts.map((part) => part.trim());
  }

  const fades = (image) => /gradient\(/.test(image) && /rgba\(|\/ ?[\d.]+%?\)|transparent/.test(image);
  const named = (image) => [...image.matchAll(/url\("((?:[^"\\]|\\.)*)"\)|url\(([^")]*)\)/g)].map(([, quoted, plain]) => (quoted ?? plain).replace(/\\(.)/g, '$1'));

  // A style's images as they are to be printed; nothing where they can stay. With a filter, an SVG file is painted in its own size and
  // stretched: it has one on the canvas alone, which an element's filter does not reach.
  function images(value, property, style, isDoubtful) {
    if (!value || !/gradient\(|url\(/.test(value)) return undefined;
    // A mask fades as it should, unless it is small.
    const mayFade = !/mask/.test(property) || /\d/.test(style.maskSize);
    let isChanged = false;
    const all = layers(value).map((image) => {
      if (!(mayFade && fades(image) || isDoubtful && named(image).some(isDoubtful))) return image;
      isChanged = true;
      return `filter(${image}, ${filter})`;
    });
    return isChanged ? all.join(', ') : undefined;
  }

  const imageProperties = ['background-image', 'border-image-source', 'list-style-image', 'mask-image', '-webkit-mask-box-image-source'];

  // Whether a clip path is more than one shape, which WebKit clips as a mask.
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
  const replaced = /^(?:img|input|video|iframe|frame|object|embed)$/;

  function pixelate(element) {
    const style = styleOf(element);
    const before = getComputedStyle(element).filter;
    if (!style || before.includes(filter)) return;
    style.setProperty('filter', before === 'none' ? filter : `${before} ${filter}`, 'important');
  }

  // Makes pixels of the nearest element around one that is painted as a whole: of itself, a mask would be applied to the pixels. It
  // must not become the origin of what it contains, which would move, nor keep what blends from what is behind. The document's root
  // is and does that already.
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

  // Not `instanceof`: an element of a frame has other classes.
  const isSVG = (element) => get(element, 'namespaceURI') === 'http://www.w3.org/2000/svg';
  // Whether an element is painted by an SVG element around it.
  const isInDrawing = (element) => isSVG(element) && above(element) !== null && isSVG(above(element)) && nameOf(above(element)) !== 'foreignObject';

  // The outermost SVG element around one.
  function drawing(element) {
    let found = element;
    while (isInDrawing(found)) found = above(found);
    return found;
  }

  const words = /mask|clip|gradient|plus-|url\(|\\/i;
  const inline = '[style*="mask" i], [style*="clip" i], [style*="gradient" i], [style*="plus-" i], [style*="url(" i], [style*="\\\\"], '
    + 'mask, clipPath, image, img, input[type="image" i], video, iframe, frame, object, embed, [background]';

  function root(one, isDoubtful) {
    if (!offstageStill.mayStyle(one, words, inline)) return;
    const rules = [];
    const drawings = new Set();
    const around = new Map();
    let hasBlends = false;
    for (const element of find(one, '*')) {
      const style = getComputedStyle(element);
      if (isInDrawing(element)) {
        if (nameOf(element) === 'mask' || nameOf(element) === 'clipPath') continue;
        if (style.maskImage !== 'none' || isMask(style.clipPath, one) || isLighter(style)
          || /^(?:image|feImage)$/.test(nameOf(element)) && isDoubtful(linked(element), element)) drawings.add(element);
        continue;
      }
      for (const [pseudo, shown] of [[null, style], ['::before'], ['::after']]) {
        const its = shown ?? getComputedStyle(element, pseudo);
        if (pseudo && /^(?:none|normal)$/.test(its.content)) continue;
        // An image in the place of the content would be loaded again.
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
    // What `<use>` shows of another drawing is doubtful as well.
    if (drawings.size > 0) for (const use of find(one, 'use')) drawings.add(use);
    for (const svg of new Set([...drawings].map(drawing))) pixelate(svg);
    // Those that need the largest part first.
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

  // `files` are the URLs of the base folder's SVG files that WebKit prints without a part of them.
  return (files) => {
    const isDoubtful = doubt(files);
    for (const one of offstageImages.roots(offstage.documents(), true)) root(one, isDoubtful);
  };
})();
