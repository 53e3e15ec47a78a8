// What a document's text asks of fonts: characters and families. Evaluated in readiness.js' world, in those documents only
// whose source leaves a doubt (`SourceText`).
'use strict';
const offstageText = (() => {
  const { get, call, find, attribute, nameOf } = offstageDOM;
  const beyondASCII = /[^\0-\x7f]/;
  const anything = /[^\0-\x20\x7f]/;

  const isRendered = (element) => element !== null && offstageDOM.isRendered(element, { visibilityProperty: true });

  // The rendered texts of a document that match a pattern, each with the element, and the pseudo-element, it is styled by.
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

  // Whose text nodes are not what it shows.
  const isControl = (element) => element !== null && /^(option|textarea)$/.test(nameOf(element));

  function shown(control) {
    if (control.localName === 'select') {
      const isList = control.multiple || control.size > 1;
      return [...(isList ? control.options : control.selectedOptions)].map((option) => option.label).join(' ');
    }
    if (/^(password|hidden|checkbox|radio|range|color|file|image)$/.test(control.type)) return '';
    return control.value || control.placeholder || '';
  }

  // What style sheets add: the content of pseudo-elements, and markers of lists. Only rules that could match are looked at.
  function* generated(one, pattern) {
    const patterns = [/content|list-style/i];
    if (pattern !== anything) patterns.push(/\\|[^\0-\x7f]|attr/i);
    for (const rule of rules(one, ...patterns)) {
      let { content, listStyleType } = rule.style;
      // Of CSS's own words, none is drawn.
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

  // The style rules of a document. The text of a style element is searched first, as rules become objects when asked for.
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
      // Another origin's: it was blocked, and said so.
    }
    for (const rule of list) {
      if (rule.selectorText) yield rule;
      yield* rulesOf(rule.styleSheet ?? rule);
    }
  }

  // The elements that a rule may be for. Where the selector cannot be asked for, all.
  function matches(one, selector) {
    const elements = selector.replace(/(^|[\s>+~,(])::?(before|after|marker)\b/gi, '$1*').replace(/::?(before|after|marker)\b/gi, '');
    try {
      return find(one, elements.includes('&') ? '*' : elements);
    } catch {
      return find(one, '*');
    }
  }

  // Every character that is rendered somewhere, once; those of ASCII on request.
  function characters(documents, includesASCII) {
    const pattern = includesASCII ? anything : beyondASCII;
    const found = new Set();
    for (const one of documents) {
      for (const [text] of texts(one, pattern)) for (const character of text) if (pattern.test(character)) found.add(character);
    }
    return [...found].join('').toWellFormed();
  }

  // Which of these characters are drawn as a box somewhere: a web font may have what no installed font has. A font's box may
  // be empty: then the doubtful ones, which may be nothing by their nature, are no box.
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
          // A noncharacter, which hardly is in any font: the same pixels are the box.
          const box = drawn(font, '\u{2ffff}');
          if (doubtful.includes(character) && box === drawn(font, ' ')) continue;
          if (drawn(font, character) === box) found.add(character);
        }
      }
    }
    return [...found].join('');
  }

  // Draws a character with a font of a document; the same pixels give the same string.
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

  // The font families of rendered text: each computed stack once. Where not all are wanted, only of documents in which some
  // stack may end without a generic family, and no stack with a web font: what is wrong with that is told already.
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

  // What WebKit's own style sheet asks for formulas, not the author.
  const ownMathStack = /^"?Latin Modern Math"?, "?STIX Two Math/;

  const generic = /(^|[\s,'"])(serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|math|emoji|inherit|initial|unset|revert|revert-layer)['"]?\s*(!\s*important\s*)?$/i;

  // A cheap look at what the author wrote; it may say yes too often.
  function mayLackGeneric(one) {
    const lacks = (value) => value && !generic.test(value.trim());
    const declared = (css) => [...css.matchAll(/\bfont(?:-family)?\s*:([^;}]*)/gi)].some(([, value]) => lacks(value));
    for (const sheet of [...get(one, 'styleSheets'), ...get(one, 'adoptedStyleSheets')]) {
      const text = sheet.href || !sheet.ownerNode ? null : sheet.ownerNode.textContent;
      if (text !== null && !/@import/i.test(text)) {
        // What describes a font asks for none.
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
