// Shows a small editor in place of each `textarea[data-tags]`. The editor allows only the tags in this attribute.
// Without scripts, people type HTML into the textarea. The textarea remains the field of the form, and its value does
// not change until the person edits the text.
{
  const texts = JSON.parse(document.currentScript.dataset.words);
  /** Replacements for tags that a textarea does not allow. A replacement is used only if the textarea allows it. */
  const ALIASES = {
    div: 'p',
    section: 'p',
    article: 'p',
    pre: 'p',
    main: 'p',
    header: 'p',
    footer: 'p',
    address: 'p',
    figcaption: 'p',
    caption: 'p',
    tr: 'p',
    dt: 'p',
    dd: 'p',
    strike: 's',
    del: 's',
    ins: 'u',
    h5: 'h4',
    h6: 'h4',
  };
  const DROPPED = 'script,style,head,title,meta,link,template,noscript,iframe,object,embed,svg,math,audio,video,canvas';
  const BLOCKS =
    'p,ul,ol,li,h1,h2,h3,h4,blockquote,div,section,article,pre,main,header,footer,address,figure,figcaption,table,caption,tr,dl,dt,dd';
  const CELLS = 'td,th';
  const CONTAINERS = ['ul', 'ol', 'li', 'blockquote'];
  const LINK_PROTOCOLS = ['http:', 'https:', 'mailto:'];
  /**
   * For each button: the tag, the command of the browser (`link` is a command of this editor), the value of the
   * command, and the icon, which is a letter or the path of an SVG image.
   */
  const BUTTONS = [
    ['b', 'bold', null, 'B'],
    ['i', 'italic', null, 'I'],
    ['u', 'underline', null, 'U'],
    ['s', 'strikeThrough', null, 'S'],
    ['h3', 'formatBlock', 'h3', 'H'],
    ['ul', 'insertUnorderedList', null, 'M3 5h.01M3 10h.01M3 15h.01M8 5h9M8 10h9M8 15h9'],
    ['ol', 'insertOrderedList', null, 'M2.5 3.5 4 3v4M2.5 12.5c2-1.5 2.8.3 0 4h2.2M8 5h9M8 10h9M8 15h9'],
    ['blockquote', 'formatBlock', 'blockquote', 'M4 4v12M8 5h9M8 10h9M8 15h6'],
    [
      'a',
      'link',
      null,
      'M8.5 11.5a3 3 0 0 0 4.3 0l3-3a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-3 3a3 3 0 0 0 4.3 4.3l1-1',
    ],
  ];

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const run = (command, value) => document.execCommand(command, false, value);
  const parsed = (html) => new DOMParser().parseFromString(html, 'text/html').body;

  function allowedLink(href) {
    try {
      const url = new URL(href);
      return LINK_PROTOCOLS.includes(url.protocol) && !url.username && !url.password ? url.href : null;
    } catch {
      return null;
    }
  }

  /**
   * The content of `from` with only the allowed tags and without the elements of DROPPED. Other elements are replaced
   * by their alias (ALIASES), or by their content. Of all attributes, only the address of a link remains.
   */
  function cleaned(from, tags) {
    const result = document.createDocumentFragment();
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) result.append(node.data);
      if (node.nodeType !== Node.ELEMENT_NODE || node.matches(DROPPED)) continue;
      const originalName = node.localName;
      const name = tags.includes(originalName) ? originalName : ALIASES[originalName];
      const inner = cleaned(node, tags);
      // Google Docs wraps everything in a `b` element of normal weight. The attribute is read, because the page's
      // Content-Security-Policy empties `node.style`.
      const isPlain = originalName === 'b' && /font-weight:\s*normal/.test(node.getAttribute('style'));
      // Only the elements of CONTAINERS may contain block elements. Paragraphs, headings and inline elements may not.
      const isNested = !CONTAINERS.includes(name) && node.querySelector(BLOCKS);
      if (!tags.includes(name) || isPlain || isNested) {
        if (node.matches(BLOCKS) && !tags.includes('p') && result.textContent) result.append(make('br'));
        result.append(inner);
        if (node.matches(CELLS) && node.nextElementSibling) result.append(' ');
        continue;
      }
      const href = name === 'a' ? allowedLink(node.getAttribute('href')) : null;
      if (name === 'a' && href === null) result.append(inner);
      else result.append(make(name, { href }, inner));
    }
    return result;
  }

  /** If paragraphs are allowed, puts text and inline elements that are not in a block element into paragraphs. */
  function inParagraphs(fragment, tags) {
    if (!tags.includes('p')) return fragment;
    const result = document.createDocumentFragment();
    let added = null;
    for (const node of [...fragment.childNodes]) {
      const isBlock = node.nodeType === Node.ELEMENT_NODE && node.matches(BLOCKS);
      if (isBlock) added = null;
      else if (!added && (node.nodeType !== Node.TEXT_NODE || node.data.trim())) result.append((added = make('p')));
      (isBlock || !added ? result : added).append(node);
    }
    return result;
  }

  function htmlOf(content, tags) {
    const holder = make('div', {}, inParagraphs(cleaned(content, tags), tags));
    // In reverse order, children come before their parents. So a parent whose children were all removed is removed too.
    for (const element of [...holder.querySelectorAll(':not(br)')].reverse())
      if (!element.hasChildNodes()) element.remove();
    return holder.textContent.trim() ? holder.innerHTML : '';
  }

  /**
   * Gives each heading its level in the outline of the page, below the heading of the page and without gaps (PAGE-39).
   * The attribute `aria-level` does not become a part of the text, because `cleaned` drops it.
   */
  function setHeadingLevels(content) {
    const enclosing = [];
    for (const marked of content.querySelectorAll('[aria-level]')) marked.removeAttribute('aria-level');
    for (const heading of content.querySelectorAll('h1, h2, h3, h4')) {
      const level = Number(heading.localName[1]);
      while (enclosing.length && enclosing[enclosing.length - 1] >= level) enclosing.pop();
      enclosing.push(level);
      heading.setAttribute('aria-level', 1 + enclosing.length);
    }
  }

  function pasted(transfer, tags) {
    const html = transfer.getData('text/html');
    if (html) return htmlOf(parsed(html), tags);
    const holder = make('div');
    transfer
      .getData('text/plain')
      .split(/\r?\n/)
      .forEach((line, i) => holder.append(...(i ? [make('br')] : []), line));
    return holder.innerHTML;
  }

  /** All buttons together are one Tab stop. The arrow keys, Home and End move the focus between the buttons. */
  function moveFocusByArrows(bar) {
    const buttons = [...bar.children];
    buttons.forEach((button, i) => (button.tabIndex = i ? -1 : 0));
    bar.addEventListener('keydown', (event) => {
      const from = buttons.indexOf(document.activeElement);
      const to = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: buttons.length - 1 }[event.key];
      if (from < 0 || to === undefined) return;
      event.preventDefault();
      const next = buttons[(to + buttons.length) % buttons.length];
      buttons[from].tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  }

  function icon(letterOrPath) {
    if (letterOrPath.length === 1) return make('span', { 'aria-hidden': 'true' }, letterOrPath);
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 20 20');
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(svg.namespaceURI, 'path');
    path.setAttribute('d', letterOrPath);
    svg.append(path);
    return svg;
  }

  /** The field for the address of a link, below the buttons. */
  function linkRow(content, id) {
    let range = null;
    const input = make('input', {
      type: 'text',
      inputmode: 'url',
      id: `${id}-link`,
      autocomplete: 'off',
      'aria-describedby': `${id}-link-error`,
    });
    const set = make('button', { type: 'button', class: 'second slim' }, texts.link_set);
    const errorText = make('p', { class: 'error', role: 'alert', id: `${id}-link-error` });
    const row = make(
      'div',
      { class: 'link', hidden: '' },
      make('label', { for: input.id }, texts.link_address),
      input,
      set,
      errorText,
    );
    const closeRow = () => {
      row.hidden = true;
      content.focus();
      if (range)
        getSelection().setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    };
    const setError = (text) => {
      errorText.textContent = text;
      input.setAttribute('aria-invalid', String(text !== ''));
    };
    const applyLink = () => {
      const typed = input.value.trim();
      // A digit after the colon is a port: "example.com:8080".
      const hasScheme = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(typed);
      const address = hasScheme ? typed : (typed.includes('@') ? 'mailto:' : 'https://') + typed;
      // If the text has no scheme, it must contain a dot: "program" is not an address.
      const href = (hasScheme || typed.includes('.')) && allowedLink(address);
      setError(typed && !href ? texts.link_wrong : '');
      if (typed && !href) return input.focus();
      closeRow();
      if (!typed) run('unlink');
      else if (range.collapsed) run('insertHTML', make('p', {}, make('a', { href }, typed)).innerHTML);
      else run('createLink', href);
    };
    set.addEventListener('click', applyLink);
    row.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') closeRow();
      // Without `preventDefault`, Enter would send the form.
      if (event.key !== 'Enter') return;
      event.preventDefault();
      applyLink();
    });
    const open = () => {
      const selection = getSelection();
      if (!content.contains(selection.anchorNode)) selection.selectAllChildren(content);
      range = selection.getRangeAt(0).cloneRange();
      const link = (range.startContainer.parentElement ?? content).closest('a');
      // With the cursor inside a link, the whole link is edited.
      if (link && range.collapsed) range.selectNodeContents(link);
      input.value = link?.getAttribute('href') ?? '';
      setError('');
      row.hidden = false;
      input.focus();
    };
    return { row, open };
  }

  function replaceWithEditor(textarea) {
    const tags = textarea.dataset.tags.split(' ');
    const { id } = textarea;
    const label = document.querySelector(`label[for="${id}"]`);
    label.id = `${id}-label`;
    const content = make('div', {
      id,
      class: 'content',
      role: 'textbox',
      contenteditable: 'true',
      'aria-multiline': 'true',
      'aria-labelledby': label.id,
      'aria-describedby': textarea.getAttribute('aria-describedby'),
      'aria-invalid': textarea.getAttribute('aria-invalid'),
      'aria-required': textarea.required ? 'true' : null,
    });
    let shown = null;
    const show = () => {
      if (textarea.value === shown) return;
      shown = textarea.value;
      content.replaceChildren(inParagraphs(cleaned(parsed(shown), tags), tags));
      setHeadingLevels(content);
    };
    show();
    // After "Back", the browser restores the value of the textarea only after this script has run.
    addEventListener('pageshow', show);
    const { row, open: openLinkRow } = linkRow(content, id);
    const offered = BUTTONS.filter(([tag]) => tags.includes(tag));
    const bar = make('div', { role: 'toolbar', 'aria-label': texts.toolbar, 'aria-controls': id });
    const isInside = (tag) => Boolean(getSelection().anchorNode?.parentElement?.closest(`#${CSS.escape(id)} ${tag}`));
    const isOn = ([tag, command, value]) => {
      if (value) return document.queryCommandValue(command) === value || isInside(tag);
      return command === 'link' ? isInside('a') : document.queryCommandState(command);
    };
    for (const button of offered) {
      const [tag, command, value, letterOrPath] = button;
      const element = make(
        'button',
        { type: 'button', class: `tool-${tag}`, title: texts[tag], 'aria-label': texts[tag] },
        icon(letterOrPath),
      );
      element.setAttribute('aria-pressed', 'false');
      // A click on a button must not clear the selection in the text.
      element.addEventListener('mousedown', (event) => event.preventDefault());
      element.addEventListener('click', () => {
        if (command === 'link') return openLinkRow();
        content.focus();
        if (value) run(command, isOn(button) ? 'p' : value);
        else run(command);
        updateButtons();
      });
      bar.append(element);
    }
    const updateButtons = () => {
      if (!content.contains(getSelection().anchorNode)) return;
      offered.forEach((button, i) => bar.children[i].setAttribute('aria-pressed', String(isOn(button))));
    };
    document.addEventListener('selectionchange', updateButtons);
    content.addEventListener('input', () => {
      textarea.value = shown = htmlOf(content, tags);
      setHeadingLevels(content);
    });
    content.addEventListener('beforeinput', (event) => {
      if (!['insertFromPaste', 'insertFromDrop'].includes(event.inputType) || !event.dataTransfer) return;
      event.preventDefault();
      run('insertHTML', pasted(event.dataTransfer, tags));
    });
    content.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || tags.includes('p')) return;
      event.preventDefault();
      run('insertLineBreak');
    });
    label.addEventListener('click', () => content.focus());
    moveFocusByArrows(bar);
    // The hint explains how to type HTML, which is not needed in the editor.
    const hint = document.getElementById(`${id}-hint`);
    if (hint) hint.hidden = true;
    // A browser could not show that a hidden field is required, so only the server checks the field.
    textarea.required = false;
    textarea.removeAttribute('id');
    textarea.hidden = true;
    textarea.after(make('div', { class: 'editor' }, bar, row, content));
  }

  run('defaultParagraphSeparator', 'p');
  run('styleWithCSS', false);
  document.querySelectorAll('textarea[data-tags]').forEach(replaceWithEditor);
}
