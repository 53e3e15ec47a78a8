// Finds the images that WebKit, or an ordinary PDF reader, does not show as on the screen. Evaluated before `pixels.js`.
const offstageDoubt = (() => {
  'use strict';
  const { get } = offstageDOM;
  // This filter changes nothing. WebKit skips other filters without an effect, but applies this one.
  const filter = 'hue-rotate(360deg)';

  // True if WebKit would leave out a part of this SVG image when printing, or if some readers would. Judges by the source text only.
  const isDoubtfulText = (text) => /<(?:[\w-]+:)?mask\b|plus-lighter|data:image\/svg|spreadmethod\s*=\s*["'](?:repeat|reflect)/i.test(text)
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

  // `files` lists the doubtful files of the base folder. A network image is judged by its name only.
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

  // Splits a list, such as the images of a background, at its top-level commas.
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

  // True for a gradient that fades, or whose colours are interpolated in another space, which PDF does not have.
  const fades = (image) => /rgba\(|\/ ?[\d.]+%?\)|transparent/.test(image)
    || /\bin (?:srgb-linear|display-p3|a98-rgb|prophoto-rgb|rec2020|lab|oklab|xyz|hsl|hwb|lch|oklch)/.test(image);

  // The number of positions at which a gradient changes abruptly from one colour to another.
  const edges = (image) => [...image.matchAll(/([\d.]+(?:%|px|deg))(?=,[^,]*(?:\([^)]*\))?[^,]* \1[,)])/g)].length;

  // True for a gradient that poppler's cairo backend samples in too few places.
  const hasManyEdges = (image, isMask) => /repeating-/.test(image) || isMask && /conic-/.test(image)
    || edges(image) > (/linear-gradient/.test(image) ? 7 : isMask ? 0 : 1);

  // True for a gradient that cannot be written as one gradient. A border image consists of stretched parts of the gradient, some
  // of which MuPDF leaves out. A mask fades correctly unless it has its own size.
  const isPixels = (image, property, style) => /gradient\(/.test(image) && (/border|box/.test(property) || hasManyEdges(image, /mask/.test(property))
    || fades(image) && (!/mask/.test(property) || /\d/.test(style.maskSize)));
  const named = (image) => [...image.matchAll(/url\("((?:[^"\\]|\\.)*)"\)|url\(([^")]*)\)/g)].map(([, quoted, plain]) => (quoted ?? plain).replace(/\\(.)/g, '$1'));

  // The images of a style for printing. Undefined if they need no change, null if the whole element needs the filter. A filter on
  // an SVG file would stretch it from its own size; only the canvas, which an element's filter does not reach, gets one.
  function images(value, property, style, isDoubtful) {
    if (!value || !/gradient\(|url\(/.test(value)) return undefined;
    let isChanged = false;
    const all = layers(value).map((image) => {
      if (!(isPixels(image, property, style) || isDoubtful && named(image).some(isDoubtful))) return image;
      isChanged = true;
      return `filter(${image}, ${filter})`;
    });
    // An image with a filter has no size of its own, which a list's marker needs.
    if (isChanged && property === 'list-style-image') return /list-item/.test(style.display) ? null : undefined;
    return isChanged ? all.join(', ') : undefined;
  }

  return { filter, doubt, images, named };
})();
