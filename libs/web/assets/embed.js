// <events-embed src="…">: shows a public event, group or person of this service in a frame on another site. `src` is
// the address of the object's page (/events/…) or of the object's frame (/embed/events/…). For any other address, the
// element is empty. The attributes `locale` (cs, en), `theme` (light, dark, auto) and `title` are optional. Without
// `title`, the title of the frame is the title of the page that the frame shows.
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
      return ['src', 'locale', 'theme', 'title'];
    }

    connectedCallback() {
      this.listen ??= (event) => this.receive(event);
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
      if (address !== this.shownAddress) this.load(address);
      this.setTitle();
    }

    load(address) {
      this.shownAddress = address;
      this.frame = null;
      this.pageTitle = '';
      if (address === null) return this.replaceChildren();
      const frame = document.createElement('iframe');
      frame.src = address;
      frame.loading = 'lazy';
      frame.style.cssText = `border:0;width:100%;height:${INITIAL_HEIGHT_PX}px`;
      this.frame = frame;
      this.replaceChildren(frame);
    }

    /** The title: the attribute `title`, otherwise the title that the framed page has reported, otherwise the host. */
    setTitle() {
      if (this.frame) this.frame.title = this.title || this.pageTitle || home.host;
    }

    /**
     * Uses the height and the title that the page in the frame reports. Ignores messages from other windows, and values
     * that are not heights between 0 and 20,000 pixels.
     */
    receive({ origin, source, data }) {
      if (!this.frame || origin !== home.origin || source !== this.frame.contentWindow) return;
      if (data?.type !== 'events-embed') return;
      const height = Math.ceil(Number(data.height));
      if (height > 0 && height < 20000) this.frame.style.height = `${height}px`;
      this.pageTitle = String(data.title ?? '');
      this.setTitle();
    }
  }

  if (!customElements.get('events-embed')) customElements.define('events-embed', EventsEmbed);
})();
