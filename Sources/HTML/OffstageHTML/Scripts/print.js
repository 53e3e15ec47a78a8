// The source of a function that prepares a document to be printed as it looks on the screen. `width` is the viewport's width in
// CSS px. `colors` defines how to mark links and their targets; omit it if no marks are needed. `doubtful` lists the image URLs
// for `pixels.js`. `height` is the viewport's height if something may depend on it and everything is on one page. `isCut` is true
// if the picture ends at that height.
(width, colors, doubtful, height, isCut) => {
  'use strict';
  const { get, call, set: assign, find, children, styleOf } = offstageDOM;
  const root = get(document, 'documentElement');
  const body = get(document, 'body');
  const set = (element, styles) => {
    for (const [name, value] of Object.entries(styles)) element && styleOf(element)?.setProperty(name, value, 'important');
  };

  // On paper, boxes that depend on the viewport's height would depend on the document's height instead. Keep their position and
  // height. If a document is higher than the viewport, WebKit places fixed boxes relative to the document's height in its
  // pictures, too.
  const kept = isCut || root.scrollHeight <= height ? /absolute|fixed/ : /absolute/;
  const placed = height ? [...find(document, '*')].filter((element) => {
    const { position, display } = getComputedStyle(element);
    return kept.test(position) && display !== 'none' && offstageViewport.isInViewport(element, position)
      && offstageViewport.isPlaced(element);
  }).map((element) => {
    const { top, height: own, marginTop, marginBottom } = getComputedStyle(element);
    return [element, {
      top, bottom: 'auto', height: own, 'min-height': 0, 'max-height': 'none', 'margin-top': marginTop, 'margin-bottom': marginBottom,
    }];
  }) : [];
  // A pseudo-element has no inline style, so the document is made as high as the viewport instead.
  const hasPlacedPseudo = height && [root, body, ...children(body ?? root)].some((one) => one
    && ['::before', '::after'].some((name) => getComputedStyle(one, name).content !== 'none' && offstageViewport.isPlaced(one, name)));

  // WebKit prints columns as a single column. Lay them out the same way, so that the measured height is the printed height.
  const merged = [...find(document, '*')].filter((element) => {
    const { columnCount, columnWidth, display } = getComputedStyle(element);
    return (columnCount !== 'auto' || columnWidth !== 'auto') && /^(inline-)?block|^flow-root|^list-item/.test(display);
  }).length;
  if (merged) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { column-count: auto !important; column-width: auto !important }');
    assign(document, 'adoptedStyleSheets', [...get(document, 'adoptedStyleSheets'), sheet]);
  }

  // Paper also shows content that the viewport hides. WebKit would lay out overflowing content wider and print it smaller, so
  // widen the page and keep the document's width. With a fixed paper size (`colors` is set), WebKit may shrink it to fit.
  for (const element of [root, body]) set(element, { overflow: 'visible' });
  const overflowing = Math.max(root.scrollWidth, body?.scrollWidth ?? 0);
  if (overflowing > width && !colors) {
    const fits = root.style?.width === 'fit-content';
    set(root, { ...(fits ? {} : { width: `${width}px` }), 'max-width': `${width}px`, 'box-sizing': 'border-box', position: 'relative' });
  }
  // The page is as high as the content, which may be higher than the viewport.
  const styles = root.computedStyleMap?.();
  if (height && ['height', 'min-height', 'max-height'].some((name) => /%|stretch|available/.test(styles?.get(name) ?? ''))) {
    set(root, { height: `${height}px`, 'min-height': 0, 'max-height': 'none', 'box-sizing': 'border-box' });
  }
  const { top: rootTop, height: rootHeight } = offstageDOM.rectangle(root);
  if (hasPlacedPseudo && rootTop + rootHeight < height && /^block|flow-root/.test(getComputedStyle(root).display)) {
    const margins = parseFloat(getComputedStyle(root).marginTop) + parseFloat(getComputedStyle(root).marginBottom);
    set(root, { 'min-height': `${height - margins}px`, 'box-sizing': 'border-box' });
  }
  for (const [element, own] of placed) set(element, own);
  // WebKit prints nothing if the root's height is 0, even if the document has visible content.
  if (offstageDOM.rectangle(root).height === 0) set(root, { 'min-height': `${height ?? 1}px` });
  // Outlines don't affect the layout. The colour encodes the link's number; it is almost transparent.
  const { targets, names } = colors ? offstageContent.mark((element, kind, number) => {
    const value = number ^ colors.mask;
    const color = `rgba(${value >> 8}, ${value & 255}, ${colors[kind]}, 0.004)`;
    // WebKit doesn't draw the outline of an inline element around blocks inside it.
    const blocks = [...children(element)].filter((child) => !/^(inline|contents|none)/.test(getComputedStyle(child).display));
    for (const one of [element, ...blocks]) {
      if (getComputedStyle(one).outlineStyle !== 'none') continue;
      set(one, { outline: `1px solid ${color}`, 'outline-offset': '-1px' });
    }
  }) : {};
  offstagePixels(doubtful);
  // Emoji made of several characters, which the glyphs in a PDF file don't identify. Most texts contain none of the characters
  // below.
  const emoji = () => {
    const found = new Set();
    for (const one of offstageImages.roots(offstage.documents(), true)) {
      const said = get(get(one, 'documentElement') ?? one, 'textContent') ?? '';
      if (!/[\u{200d}\u{20e3}\u{fe0f}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\u{e007f}]/u.test(said)) continue;
      for (const [text] of said.matchAll(/\p{RGI_Emoji}/gv)) if ([...text].length > 1 && found.size < 1000) found.add(text);
    }
    return [...found];
  };
  const text = (value) => String(value ?? '').toWellFormed().replace(/\s+/g, ' ').trim().slice(0, 1000);
  return JSON.stringify({
    targets, names, width: Math.max(width, overflowing, root.scrollWidth), merged,
    emoji: emoji(), title: text(get(document, 'title')),
    language: text(offstageDOM.attribute(root, 'lang') ?? offstageDOM.attribute(root, 'xml:lang')).match(/^[a-z0-9-]{1,35}$/i)?.[0] ?? '',
  });
}
