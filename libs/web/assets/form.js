// Shows previews of chosen pictures and the progress of uploads, and lets the reader pick a place on a map. Without
// scripts all forms still work.
{
  const { uploading, working } = document.currentScript.dataset;

  // The page of a refused form has the form tokens in its address (PAGE-96). They are removed from the address bar.
  const address = new URL(location.href);
  if (address.searchParams.has('_csrf')) {
    for (const name of ['_csrf', '_by']) address.searchParams.delete(name);
    history.replaceState(null, '', address);
  }

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  /** A size of less than 0.1 MB is shown in kB. */
  const sizeOf = (bytes) => {
    const [amount, unit, digits] = bytes < 1e5 ? [Math.ceil(bytes / 1e3), 'kB', 0] : [bytes / 1e6, 'MB', 1];
    const format = { maximumFractionDigits: digits, minimumFractionDigits: digits };
    return `${amount.toLocaleString(document.documentElement.lang, format)} ${unit}`;
  };

  /** Draws the picture on a canvas, because the page's Content-Security-Policy allows no `blob:` addresses. */
  async function previewOf(file) {
    const image = await createImageBitmap(file);
    const [width, height] = [240, 160];
    const scale = Math.max(width / image.width, height / image.height);
    const canvas = make('canvas', { width, height, 'aria-hidden': 'true' });
    const [w, h] = [image.width * scale, image.height * scale];
    canvas.getContext('2d').drawImage(image, (width - w) / 2, (height - h) / 2, w, h);
    image.close();
    return canvas;
  }

  for (const input of document.querySelectorAll('input[type=file]')) {
    const list = make('ul', { class: 'previews' });
    input.addEventListener('change', async () => {
      const items = [...input.files].map((file) => {
        const item = make('li', {}, make('span', {}, `${file.name} · ${sizeOf(file.size)}`));
        // If the browser cannot draw a file, only its name and size are shown.
        if (file.type.startsWith('image/'))
          previewOf(file).then(
            (canvas) => item.prepend(canvas),
            () => undefined,
          );
        return item;
      });
      list.replaceChildren(...items);
      if (items.length) input.after(list);
      else list.remove();
    });
  }

  /**
   * Opens the page `to`. If `to` has a fragment and is otherwise the address of the open page, the browser would only
   * scroll, so the script reloads the page.
   */
  function openPage(form, to) {
    const needsReload = to.hash && to.pathname + to.search === location.pathname + location.search;
    if (!needsReload) return location.assign(to);
    // Without the reset, the browser would fill in the sent values again after the page is reloaded.
    form.reset();
    location.hash = to.hash;
    location.reload();
  }

  /**
   * Sends the form and shows a progress bar. If the response has the header `X-Location`, this header contains the
   * address of the next page. Otherwise the response is itself the next page, for example the form with a refusal.
   */
  function send(form, submitter) {
    const request = new XMLHttpRequest();
    const bar = make('progress', { max: '1', value: '0', 'aria-label': uploading });
    const text = make('span', { role: 'status' }, uploading);
    const line = make('p', { class: 'uploading' }, bar, text);
    const data = new FormData(form, submitter);
    submitter.disabled = true;
    submitter.after(line);
    request.upload.addEventListener('progress', ({ loaded, total }) => (bar.value = total ? loaded / total : 0));
    request.upload.addEventListener('load', () => {
      bar.removeAttribute('value');
      text.textContent = working;
    });
    request.addEventListener('load', () => {
      const to = request.getResponseHeader('x-location');
      if (to) return openPage(form, new URL(to, location.href));
      // With a fragment in the address, the browser would ignore `autofocus` and scroll to the fragment.
      history.replaceState(null, '', location.pathname + location.search);
      document.open();
      document.write(request.responseText);
      document.close();
      // The browser does not always obey `autofocus` in a page that a script has written.
      addEventListener('load', () => document.querySelector('[autofocus]')?.focus());
    });
    // After a network error, the form is sent in the normal way, so that the browser shows the error.
    request.addEventListener('error', () => form.submit());
    request.open('POST', form.action);
    request.setRequestHeader('accept', 'text/html');
    request.setRequestHeader('x-requested-with', 'upload');
    request.send(data);
  }
  for (const form of document.querySelectorAll('form[enctype="multipart/form-data"]'))
    form.addEventListener('submit', (event) => {
      const hasFiles = [...form.elements].some(({ files }) => files?.length);
      if (!hasFiles || event.defaultPrevented) return;
      event.preventDefault();
      send(form, event.submitter ?? form.querySelector('button:not([type=button])'));
    });

  function load(name, attributes) {
    return new Promise((resolve, reject) => {
      const element = Object.assign(document.createElement(name), attributes, { onload: resolve, onerror: reject });
      document.head.append(element);
    });
  }

  /**
   * Returns the point and the zoom with which the map opens: the typed point, otherwise the typed or chosen place,
   * otherwise the whole country.
   */
  async function initialView(latitude, longitude, place, places) {
    const point = [latitude, longitude].map(({ value }) => (value.trim() ? Number(value.replace(',', '.')) : NaN));
    if (point.every(Number.isFinite)) return [point, 15];
    // `place` is a text field. If several places have the typed name, `place` is a list (`RadioNodeList`) that also
    // contains radio buttons; its `value` is then the value of the chosen radio button.
    const q = place?.value.trim().split(',')[0] ?? '';
    const answer = q.length < 2 ? null : await fetch(`${places}?q=${encodeURIComponent(q)}`).catch(() => null);
    const found = answer?.ok ? (await answer.json()).data[0] : null;
    return found ? [[found.latitude, found.longitude], 12] : [[49.8, 15.5], 6];
  }

  // The pin stays in the middle of the map. The reader moves the map by mouse, by finger, or with the arrow keys.
  for (const button of document.querySelectorAll('button[data-pick]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const { pick, tiles, name, leaflet, attribution, picked, places } = button.dataset;
      const { form } = button;
      const [latitude, longitude, place] = ['latitude', 'longitude', 'place'].map((one) => form.elements[pick + one]);
      button.disabled = true;
      try {
        await load('link', { rel: 'stylesheet', href: `${leaflet}.css` });
        await load('script', { src: `${leaflet}.js` });
      } catch {
        // The map could not be loaded, for example without a connection. The reader can click again.
        button.disabled = false;
        return;
      }
      const [point, zoom] = await initialView(latitude, longitude, place, places);
      const mapElement = make('div', { class: 'map', role: 'application', 'aria-label': name, tabindex: '0' });
      const status = make('p', { class: 'hint', role: 'status' });
      button.replaceWith(
        make('div', { class: 'picker' }, mapElement, make('span', { class: 'pin', 'aria-hidden': 'true' })),
        status,
      );
      const { L } = globalThis;
      const map = L.map(mapElement, { scrollWheelZoom: 'center', doubleClickZoom: 'center' }).setView(point, zoom);
      map.attributionControl.setPrefix(false);
      L.tileLayer(tiles, { maxZoom: 19, attribution, referrerPolicy: 'origin' }).addTo(map);
      map.on('click', ({ latlng }) => map.panTo(latlng));
      // The fields change only when the reader moves the map. Leaflet also reports a move after the size has changed,
      // for example when a phone is turned.
      let isResized = false;
      map.on('resize', () => (isResized = true));
      map.on('moveend', () => {
        if (isResized) return (isResized = false);
        const { lat, lng } = map.getCenter().wrap();
        [latitude.value, longitude.value] = [lat.toFixed(5), lng.toFixed(5)];
        status.textContent = `${picked} ${latitude.value}, ${longitude.value}`;
      });
      // If the reader types or chooses a place later, the latitude and longitude fields get back the values with which
      // the page was loaded.
      form.addEventListener('input', ({ target }) => {
        if (target.name !== `${pick}place`) return;
        for (const input of [latitude, longitude]) input.value = input.defaultValue;
        status.textContent = '';
      });
      mapElement.focus();
    });
  }
}
