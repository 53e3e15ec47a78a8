// Finds the characters and font families that a document's text needs. Evaluated in the world of `readiness.js`, only if the
// source text is not conclusive (`SourceText`).
'use strict';
const offstageText = (() => {
  const { get, call, find, attribute, nameOf } = offstageDOM;
  const beyondASCII = /[^\0-\x7f]/;
  const anything = /[^\0-\x20\x7f]/;

  const isRendered = (element) => element !== null && offstageDOM.isRendered(element, { visibilityProperty: true });

  // The rendered texts of a document that match a pattern, each with the element or pseudo-element that styles it.
  function* texts(one, pattern) {
    if (pattern.test(get(one, 'documentElement')?.textContent ?? '')) {
      const walk = call(one, 'createTreeWalker', one, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const { data, parentElement } = walk.currentNode;
        if (pattern.test(data) && !isControl(parentElement) && isRendered(parentElement)) yield [data, parentElement];
      }
    }
    for (const control of find(one, 'input, textarea, select')) {
      const text = shown(control);
      if (pattern.test(text) && isRendered(control)) yield [text, control];
    }
    yield* generated(one, pattern);
  }

  // Elements whose text nodes are not their visible text.
  const isControl = (element) => element !== null && /^(option|textarea)$/.test(nameOf(element));

  function shown(control) {
    if (control.localName === 'select') {
      const isList = control.multiple || control.size > 1;
      return [...(isList ? control.options : control.selectedOptions)].map((option) => option.label).join(' ');
    }
    if (/^(password|hidden|checkbox|radio|range|color|file|image)$/.test(control.type)) return '';
    return control.value || control.placeholder || '';
  }

  // Text from style sheets: the content of pseudo-elements, and list markers. Examines only rules that could match.
  function* generated(one, pattern) {
    const patterns = [/content|list-style/i];
    if (pattern !== anything) patterns.push(/\\|[^\0-\x7f]|attr/i);
    for (const rule of rules(one, ...patterns)) {
      let { content, listStyleType } = rule.style;
      // CSS keywords are not drawn.
      if (pattern === anything) [content, listStyleType] = [quoted(content), quoted(listStyleType)];
      if (content && (pattern.test(content) || /attr\(/i.test(content))) {
        const pseudos = [...new Set(rule.selectorText.match(/\b(before|after|marker)\b/gi))];
        for (const element of matches(one, rule.selectorText)) {
          for (const name of pseudos) {
            const style = getComputedStyle(element, `::${name}`);
            const text = content.replace(/attr\(\s*([\w-]+)[^)]*\)/gi, (_, name) => attribute(element, name) ?? '');
            if (pattern.test(text) && style.display !== 'none' && isRendered(element)) yield [text, element, `::${name}`];
          }
        }
      }
      if (pattern.test(listStyleType)) {
        for (const element of matches(one, rule.selectorText)) if (isRendered(element)) yield [listStyleType, element];
      }
    }
  }

  const quoted = (value = '') => (value.match(/"(?:[^"\\]|\\.)*"|attr\([^)]*\)/g) ?? [])
    .map((part) => part.startsWith('"') ? part.slice(1, -1) : part).join('');

  // The style rules of a document. Searches the text of a style element first, because reading rules creates an object for
  // each.
  function* rules(one, ...patterns) {
    for (const sheet of [...get(one, 'styleSheets'), ...get(one, 'adoptedStyleSheets')]) {
      const text = sheet.href || !sheet.ownerNode ? null : sheet.ownerNode.textContent;
      if (text === null || /@import/i.test(text) || patterns.every((pattern) => pattern.test(text))) yield* rulesOf(sheet);
    }
  }

  function* rulesOf(group) {
    let list = [];
    try {
      list = group.cssRules ?? [];
    } catch {
      // The sheet has another origin. It was blocked, and has been reported.
    }
    for (const rule of list) {
      if (rule.selectorText) yield rule;
      yield* rulesOf(rule.styleSheet ?? rule);
    }
  }

  // The elements that a rule may apply to, or all elements if the selector cannot be queried.
  function matches(one, selector) {
    const elements = selector.replace(/(^|[\s>+~,(])::?(before|after|marker)\b/gi, '$1*').replace(/::?(before|after|marker)\b/gi, '');
    try {
      return find(one, elements.includes('&') ? '*' : elements);
    } catch {
      return find(one, '*');
    }
  }

  // Every distinct rendered character. Includes ASCII on request.
  function characters(documents, includesASCII) {
    const pattern = includesASCII ? anything : beyondASCII;
    const found = new Set();
    for (const one of documents) {
      for (const [text] of texts(one, pattern)) for (const character of text) if (pattern.test(character)) found.add(character);
    }
    return [...found].join('').toWellFormed();
  }

  // Returns those of the given characters that are drawn as a box somewhere. A web font may have characters that no installed
  // font has. If a font's box is empty, characters that may be invisible anyway (`doubtful`) don't count as boxes.
  function boxes(documents, wanted, doubtful) {
    const pattern = new RegExp(`[${[...wanted].map((one) => `\\u{${one.codePointAt(0).toString(16)}}`).join('')}]`, 'u');
    const found = new Set();
    for (const one of documents) {
      const drawn = painter(one);
      for (const [text, element, pseudo] of texts(one, pattern)) {
        const { fontStyle, fontWeight, fontFamily } = getComputedStyle(element, pseudo);
        const font = `${fontStyle} ${fontWeight} 32px ${fontFamily}`;
        for (const character of new Set(text)) {
          if (!pattern.test(character) || found.has(character)) continue;
          // A noncharacter, which almost no font has. A character with the same pixels is drawn as a box.
          const box = drawn(font, '\u{2ffff}');
          if (doubtful.includes(character) && box === drawn(font, ' ')) continue;
          if (drawn(font, character) === box) found.add(character);
        }
      }
    }
    return [...found].join('');
  }

  // Draws a character with a font of a document. Equal pixels produce equal strings.
  function painter(one) {
    const canvas = call(one, 'createElementNS', 'http://www.w3.org/1999/xhtml', 'canvas');
    canvas.width = canvas.height = 64;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const known = new Map();
    return (font, character) => {
      const key = `${font} ${character}`;
      if (!known.has(key)) {
        context.clearRect(0, 0, 64, 64);
        context.font = font;
        context.fillText(character, 16, 44);
        known.set(key, context.getImageData(0, 0, 64, 64).data.join());
      }
      return known.get(key);
    };
  }

  // The distinct computed font stacks of rendered text. Unless all are wanted, skips documents whose stacks all end with a
  // generic family, and stacks that contain a web font, whose problems have been reported already.
  function families(documents, wantsAll) {
    const found = new Set();
    for (const one of documents) {
      if (!wantsAll && !mayLackGeneric(one)) continue;
      const seen = new Set();
      const plain = (name) => name.trim().replace(/^["']|["']$/g, '').toLowerCase();
      const brought = new Set(wantsAll ? [] : [...get(one, 'fonts')].map((font) => plain(font.family)));
      for (const [, element, pseudo] of texts(one, /[^\s"']/)) {
        if (!pseudo && seen.has(element)) continue;
        seen.add(element);
        const stack = getComputedStyle(element, pseudo).fontFamily;
        if (!ownMathStack.test(stack) && !stack.split(',').some((name) => brought.has(plain(name)))) found.add(stack);
      }
    }
    return [...found].join('\n');
  }

  // The font stack for formulas that WebKit's own style sheet sets.
  const ownMathStack = /^"?Latin Modern Math"?, "?STIX Two Math/;

  const generic = /(^|[\s,'"])(serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|math|emoji|inherit|initial|unset|revert|revert-layer)['"]?\s*(!\s*important\s*)?$/i;

  // A quick check of the author's declarations. It may return true too often.
  function mayLackGeneric(one) {
    const lacks = (value) => value && !generic.test(value.trim());
    const declared = (css) => [...css.matchAll(/\bfont(?:-family)?\s*:([^;}]*)/gi)].some(([, value]) => lacks(value));
    for (const sheet of [...get(one, 'styleSheets'), ...get(one, 'adoptedStyleSheets')]) {
      const text = sheet.href || !sheet.ownerNode ? null : sheet.ownerNode.textContent;
      if (text !== null && !/@import/i.test(text)) {
        // An `@font-face` rule describes a font and does not use one.
        if (declared(text.replace(/@font-face\s*{[^}]*}/gi, ''))) return true;
      } else {
        for (const { style } of rulesOf(sheet)) if (lacks(style.fontFamily)) return true;
      }
    }
    return [...find(one, '[style*="font" i]')].some((element) => declared(attribute(element, 'style')))
      || [...find(one, '[face], [font-family]')]
        .some((element) => lacks(attribute(element, 'face') ?? attribute(element, 'font-family')));
  }

  return { characters, boxes, families };
})();
