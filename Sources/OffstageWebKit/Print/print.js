// A function's source: it makes a document ready to be printed as it stands on the screen. `width` is its viewport's, CSS px.
(width) => {
  'use strict';
  const root = document.documentElement;
  const set = (element, styles) => {
    for (const [name, value] of Object.entries(styles)) element?.style.setProperty(name, value, 'important');
  };

  // WebKit prints columns as one: said to the layout, too, it is as high as it gets.
  const merged = [...document.querySelectorAll('*')].filter((element) => {
    const { columnCount, columnWidth, display } = getComputedStyle(element);
    return (columnCount !== 'auto' || columnWidth !== 'auto') && /^(inline-)?block|^flow-root|^list-item/.test(display);
  }).length;
  if (merged) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { column-count: auto !important; column-width: auto !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }

  // On paper what the viewport hides counts as well. Where it goes beyond, the document would be laid out wider and painted
  // smaller: the page is made so wide instead, and the document keeps its width.
  for (const element of [root, document.body]) set(element, { overflow: 'visible' });
  const overflowing = Math.max(root.scrollWidth, document.body?.scrollWidth ?? 0);
  if (overflowing > width) {
    const fits = root.style.width === 'fit-content';
    set(root, { ...(fits ? {} : { width: `${width}px` }), 'max-width': `${width}px`, 'box-sizing': 'border-box', position: 'relative' });
  }
  return JSON.stringify({ width: Math.max(width, overflowing, root.scrollWidth), merged });
}
