// A function's source: what it makes answers the media features of a text by themselves, whatever WebKit goes by at the moment.
// `answers` has a value for each of them.
(answers) => (text) => text.replace(
  /\(\s*(prefers-(?:color-scheme|reduced-motion|contrast))\s*(?::\s*([\w-]+)\s*)?\)/gi,
  (_, feature, value) => {
    const answer = answers[feature.toLowerCase()];
    // Without a value it asks whether there is any preference.
    const holds = value ? value.toLowerCase() === answer : answer !== 'no-preference';
    return holds ? '(min-width: 0px)' : '(max-width: 0px)';
  })
