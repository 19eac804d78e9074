// <events-embed src="…">: shows a public event, group or person of this service in a frame on another site. `src` is
// the address of the object's page (/events/…) or of the object's frame (/embed/events/…). For any other address, the
// element is empty. The attributes `locale` (cs, en), `theme` (light, dark, auto) and `title` are optional.
(() => {
  'use strict';
  const home = new URL('.', document.currentScript.src);
  const PATH = /^(?:embed\/)?(events|groups|people)\/([\w.~-]+)\/?$/;
  const INITIAL_HEIGHT_PX = 420;

  function addressOf(element) {
    let url;
    try {
      url = new URL(element.getAttribute('src') ?? '', document.baseURI);
    } catch {
      return null;
    }
    if (url.origin !== home.origin || !url.pathname.startsWith(home.pathname)) return null;
    const found = PATH.exec(url.pathname.slice(home.pathname.length));
    if (!found) return null;
    const frame = new URL(`embed/${found[1]}/${found[2]}`, home);
    for (const name of ['locale', 'theme']) {
      const value = element.getAttribute(name) ?? url.searchParams.get(name);
      if (value) frame.searchParams.set(name, value);
    }
    return frame.href;
  }

  class EventsEmbed extends HTMLElement {
    static get observedAttributes() {
      return ['src', 'locale', 'theme'];
    }

    connectedCallback() {
      this.listen ??= (event) => this.resize(event);
      window.addEventListener('message', this.listen);
      this.show();
    }

    disconnectedCallback() {
      window.removeEventListener('message', this.listen);
    }

    attributeChangedCallback() {
      if (this.isConnected && this.listen) this.show();
    }

    show() {
      const address = addressOf(this);
      if (address === this.shownAddress) return;
      this.shownAddress = address;
      this.frame = null;
      if (address === null) return this.replaceChildren();
      const frame = document.createElement('iframe');
      frame.src = address;
      frame.title = this.getAttribute('title') ?? 'Event';
      frame.loading = 'lazy';
      frame.style.cssText = `border:0;width:100%;height:${INITIAL_HEIGHT_PX}px`;
      this.frame = frame;
      this.replaceChildren(frame);
    }

    /**
     * Gives the frame the height that the page in it reports. Ignores messages from other windows, and heights of
     * 20,000 pixels or more.
     */
    resize({ origin, source, data }) {
      if (!this.frame || origin !== home.origin || source !== this.frame.contentWindow) return;
      const height = data?.type === 'events-embed' ? Math.ceil(Number(data.height)) : 0;
      if (height > 0 && height < 20000) this.frame.style.height = `${height}px`;
    }
  }

  if (!customElements.get('events-embed')) customElements.define('events-embed', EventsEmbed);
})();
