// The door page, on which an organizer or a helper with a door link checks tickets at the entrance. The script reads
// codes with the camera, recognizes people by the hashes in the pack (the downloaded list of participants), and stores
// scans until they are sent.
(() => {
  const root = document.getElementById('door');
  // `api` is the address of the API for door links. It is absent if an organizer uses the page.
  const { path, event: eventId, api, base, locale, timezone } = root.dataset;
  const texts = JSON.parse(root.dataset.texts);
  const find = (id) => document.getElementById('door-' + id);
  const say = (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  /** The name of a person. The server gives all deleted accounts the same name, which is translated here. */
  const nameOf = ({ name, slug }) =>
    name === 'deleted' && /^deleted-[0-9a-f]{20}$/.test(slug) ? texts.person_gone : name;
  /** For searches: lower case without diacritics. */
  const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase(locale);
  // The time has the same format as on all other pages: 9:05 in Czech, 09:05 in English.
  const timeFormat = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    timeStyle: 'short',
    timeZone: timezone,
  });
  const SEND_EVERY_MS = 5000,
    BATCH_SIZE = 100,
    SAME_CODE_MS = 3000;
  let pack = null,
    queue = [],
    // The imported HMAC key `pack.pack` (DOOR-4).
    hmacKey = null,
    batchSize = BATCH_SIZE,
    problem = '',
    // Whether this page has sent scans, and whether it also works without a network.
    hasSent = false,
    isReady = false,
    // The secret of the helper's door link; empty for an organizer.
    secret = '';

  // ---- stored on the phone: the pack, and the queue of scans that are not sent yet
  const database = new Promise((resolve, reject) => {
    const opening = indexedDB.open((api ? 'door-link-' : 'door-') + eventId, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('kept');
      opening.result.createObjectStore('scans', { keyPath: 'n', autoIncrement: true });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  /** Runs `act` with an object store of the database, in a transaction, and returns the result. */
  async function withStore(name, mode, act) {
    const transaction = (await database).transaction(name, mode);
    const operation = act(transaction.objectStore(name));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(operation?.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  }

  // ---- arrivals: from the pack, and from later scans on this phone
  const seconds = (iso) => Math.floor(Date.parse(iso) / 1000);
  /**
   * Returns the time of the earliest scan or check-in that no undo cancels, in seconds, or null. The latest undo in the
   * queue cancels every scan and check-in before the undo or in the same second (DOOR-10).
   */
  function arrivalOf(person) {
    const scansOfPerson = queue.filter(({ scan, slug }) => (scan.user ?? slug) === person.user.slug);
    const undone = Math.max(
      -Infinity,
      ...scansOfPerson.filter(({ scan }) => scan.undo).map(({ scan }) => seconds(scan.scanned_at)),
    );
    const arrivals = scansOfPerson.filter(({ scan }) => !scan.undo).map(({ scan }) => seconds(scan.scanned_at));
    if (person.checked_in_at) arrivals.push(seconds(person.checked_in_at));
    const remaining = arrivals.filter((second) => second > undone);
    return remaining.length ? Math.min(...remaining) : null;
  }
  const normalized = (code) =>
    code
      .toUpperCase()
      .replace(/[^0-9A-Z]/g, '')
      .replace(/O/g, '0')
      .replace(/[IL]/g, '1');
  async function hashOf(code) {
    const utf8 = new TextEncoder();
    hmacKey ??= await crypto.subtle.importKey('raw', utf8.encode(pack.pack), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', hmacKey, utf8.encode(normalized(code))));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  // ---- the display
  function showResult(text, kind) {
    const result = find('result');
    result.textContent = text;
    result.className = kind;
  }
  /** The page of a door link gets the title of the event with the pack. The organizer's page has no such element. */
  function showEvent(title = '') {
    const line = find('event');
    if (!line) return;
    line.textContent = title;
    line.hidden = !title;
  }
  function show() {
    if (!pack) return;
    showEvent(pack.title);
    const searchText = folded(find('search').value.trim());
    const confirmed = pack.people.filter(({ status }) => status === 'confirmed');
    find('count').textContent = say('count', {
      count: confirmed.filter((person) => arrivalOf(person) !== null).length,
      all: confirmed.length,
    });
    const focused = document.activeElement?.dataset?.slug;
    const found = pack.people.filter(({ user }) => folded(nameOf(user)).includes(searchText));
    // A page that was stored for use without a network can be older than this script, and then lacks some elements.
    const others = find('others');
    const isOther = ({ status }) => others && status !== 'confirmed';
    find('people').replaceChildren(...found.filter((person) => !isOther(person)).map(rowOf));
    if (others) {
      others.hidden = !found.some(isOther);
      others.querySelector('ul').replaceChildren(...found.filter(isOther).map(rowOf));
    }
    const nobody = find('nobody');
    if (nobody) {
      nobody.hidden = found.length > 0;
      nobody.textContent = say(pack.people.length > 0 ? 'nobody_found' : 'nobody_yet');
    }
    if (focused)
      find('people')
        .querySelector(`[data-slug="${CSS.escape(focused)}"]`)
        ?.focus();
    const waiting = queue.length ? say('waiting_to_send', { count: queue.length }) : '';
    const calm = hasSent ? say('all_sent') : isReady ? say('ready') : '';
    find('sync').textContent = [problem, waiting].filter(Boolean).join(' ') || calm;
    root.dataset.waiting = String(queue.length);
  }
  function rowOf(person) {
    const row = document.createElement('li');
    const name = Object.assign(document.createElement('span'), { className: 'who', textContent: nameOf(person.user) });
    const arrival = arrivalOf(person);
    // A stored page of an earlier version has one list for all people.
    const isUnmarked = person.status !== 'confirmed' && !find('others');
    const state = Object.assign(document.createElement('span'), {
      className: 'soft',
      textContent: isUnmarked ? say('expected') : arrival === null ? '' : timeFormat.format(arrival * 1000),
    });
    row.append(name, state);
    if (person.status === 'confirmed') {
      const button = Object.assign(document.createElement('button'), {
        type: 'button',
        className: arrival === null ? '' : 'second',
        textContent: say(arrival === null ? 'check_in' : 'undo'),
      });
      button.dataset.slug = person.user.slug;
      button.setAttribute('aria-label', `${button.textContent}: ${nameOf(person.user)}`);
      button.addEventListener(
        'click',
        () => void record(person, { user: person.user.slug, ...(arrival !== null && { undo: true }) }),
      );
      row.append(button);
    }
    return row;
  }

  // ---- recording a scan or undo
  async function record(person, scanned) {
    const arrival = person ? arrivalOf(person) : null;
    const scan = { ...scanned, scanned_at: new Date().toISOString() };
    const entry = { scan, slug: person?.user.slug ?? null };
    entry.n = await withStore('scans', 'readwrite', (scans) => scans.add(entry));
    queue.push(entry);
    if (!person) showResult(say('unknown'), 'bad');
    else if (scanned.undo) showResult(say('undone', { name: nameOf(person.user) }), '');
    else if (person.status !== 'confirmed') showResult(say('no_place', { name: nameOf(person.user) }), 'bad');
    else if (arrival === null) showResult(say('in', { name: nameOf(person.user) }), 'good');
    else showResult(say('already', { name: nameOf(person.user), time: timeFormat.format(arrival * 1000) }), 'bad');
    show();
    void send();
  }
  async function recordCode(code) {
    if (!pack || !normalized(code)) return;
    const hash = await hashOf(code);
    await record(pack.people.find((one) => one.code_hash === hash || one.ticket_hash === hash) ?? null, { code });
  }

  // ---- the network
  /**
   * The message for a refusal: the access has ended, the event no longer exists, or (for all other statuses, such as
   * 429 and 503) the server is busy. After a refusal the scans stay stored, and they are sent again.
   */
  function problemOf(response) {
    if (api && hasEnded(response)) return say('link_ended');
    if (response.status === 401 || response.status === 403) return say('signed_out');
    return say(response.status === 404 ? 'gone' : 'busy');
  }
  let sending = null;
  const send = () => (sending ??= sendAll().finally(() => (sending = null)));
  async function sendAll() {
    try {
      while (queue.length) {
        const entries = queue.slice(0, batchSize);
        let response = await post(entries);
        // Perhaps the form token is from an older session. The next pack contains a new token.
        if (response.status === 403 && (await refresh())) response = await post(entries);
        if (response.status === 422 && batchSize > 1) {
          // At least one of the scans is invalid. The scans are sent one by one until the invalid scan is found.
          batchSize = 1;
          continue;
        }
        if (response.status !== 200 && response.status !== 422) {
          problem = problemOf(response);
          if (api && hasEnded(response)) await forget();
          break;
        }
        if (response.status === 422) {
          showResult(say('refused'), 'bad');
          batchSize = BATCH_SIZE;
        } else {
          const { data } = await response.json();
          if (data.some(({ result }) => result === 'cancelled')) showResult(say('cancelled'), 'bad');
          await storeArrivals(data);
        }
        problem = '';
        await withStore('scans', 'readwrite', (scans) => entries.forEach(({ n }) => scans.delete(n)));
        queue = queue.filter((one) => !entries.includes(one));
        hasSent = true;
      }
      batchSize = BATCH_SIZE;
      if (!queue.length) await refresh();
    } catch {
      problem = say('no_network');
    }
    show();
  }
  /**
   * Stores the results of scans in the pack, because the scans leave the queue, and the next pack may come much later.
   */
  async function storeArrivals(results) {
    for (const { result, user, checked_in_at } of results) {
      const person = user && pack?.people.find((one) => one.user.slug === user.slug);
      if (person && result !== 'cancelled') person.checked_in_at = checked_in_at;
    }
    if (pack) await withStore('kept', 'readwrite', (kept) => kept.put(pack, 'pack'));
  }
  function post(entries) {
    if (api)
      return fetch(api + '/scans', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + secret, 'content-type': 'application/json' },
        body: JSON.stringify({ device: deviceName(), scans: entries.map(({ scan }) => scan) }),
      });
    const body = new URLSearchParams({
      _csrf: pack?.csrf ?? '',
      device: deviceName(),
      scans: JSON.stringify(entries.map(({ scan }) => scan)),
    });
    return fetch(path + '/scans', { method: 'POST', body });
  }
  /** Fetches and stores a new pack. Returns false if the server refuses the request. Unsent scans stay in the queue. */
  async function refresh() {
    const response = await (api
      ? fetch(api, { headers: { authorization: 'Bearer ' + secret } })
      : fetch(path + '/pack'));
    if (!response.ok) problem = problemOf(response);
    if (api && hasEnded(response)) await forget();
    if (!response.ok) return false;
    problem = '';
    const { data } = await response.json();
    if (data.pack !== pack?.pack) hmacKey = null;
    pack = data;
    await withStore('kept', 'readwrite', (kept) => kept.put(pack, 'pack'));
    return true;
  }
  const hasEnded = ({ status }) => [401, 403, 404].includes(status);
  /** Deletes the pack with all names from the phone and the page. Called when the helper's link no longer works. */
  async function forget() {
    pack = null;
    await withStore('kept', 'readwrite', (kept) => kept.delete('pack'));
    for (const list of root.querySelectorAll('ul')) list.replaceChildren();
    if (find('others')) find('others').hidden = true;
    showEvent();
    find('sync').textContent = '';
    showResult(say('link_ended'), 'bad');
  }
  function deviceName() {
    const name = localStorage.getItem('door-device') ?? 'web-' + crypto.randomUUID().slice(0, 8);
    localStorage.setItem('door-device', name);
    return name;
  }

  // ---- the camera
  let stream = null,
    isStarting = false,
    last = { code: '', at: 0 };
  async function toggleCamera() {
    // A second stream would replace the first one, which then could not be stopped.
    if (isStarting) return;
    isStarting = true;
    if (stream) stopCamera();
    else await startCamera(find('video'));
    isStarting = false;
    find('video').hidden = !stream;
    find('camera').textContent = say(stream ? 'stop_camera' : 'start_camera');
  }
  function stopCamera() {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
  }
  async function startCamera(video) {
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      video.srcObject = stream;
      await video.play();
    } catch {
      stopCamera();
      return showResult(say('no_camera'), 'bad');
    }
    try {
      void scanFrames(await createCodeReader());
    } catch {
      // The library for reading codes could not be loaded.
      stopCamera();
      showResult(say('no_reader'), 'bad');
    }
  }
  /**
   * Returns a function that reads a code from the video. The function uses the browser's `BarcodeDetector`, or jsQR if
   * the browser cannot read QR codes.
   */
  async function createCodeReader() {
    if ('BarcodeDetector' in window && (await BarcodeDetector.getSupportedFormats()).includes('qr_code')) {
      const detector = new BarcodeDetector({ formats: ['qr_code'] });
      return async (video) => (await detector.detect(video))[0]?.rawValue;
    }
    if (!window.jsQR)
      await new Promise((resolve, reject) =>
        document.head.append(
          Object.assign(document.createElement('script'), {
            src: base + '/web/jsqr.js',
            onload: resolve,
            onerror: reject,
          }),
        ),
      );
    const canvas = document.createElement('canvas');
    return async (video) => {
      const scale = Math.min(1, 640 / Math.max(video.videoWidth, video.videoHeight, 1));
      canvas.width = video.videoWidth * scale;
      canvas.height = video.videoHeight * scale;
      if (!canvas.width || !canvas.height) return undefined;
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(video, 0, 0, canvas.width, canvas.height);
      return window.jsQR(context.getImageData(0, 0, canvas.width, canvas.height).data, canvas.width, canvas.height, {
        inversionAttempts: 'dontInvert',
      })?.data;
    };
  }
  async function scanFrames(readCode) {
    while (stream) {
      const code = await readCode(find('video')).catch(() => undefined);
      // A code stays in front of the camera for some time, but must be recorded only once.
      if (code && (code !== last.code || Date.now() - last.at > SAME_CODE_MS)) await recordCode(code);
      if (code) last = { code, at: Date.now() };
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
  }

  // ---- start
  /**
   * The secret after `#`. After a click on the skip link to the content, the id of an element follows `#`, not a
   * secret.
   */
  function secretInAddress() {
    const fragment = location.hash.slice(1);
    return document.getElementById(fragment) ? '' : fragment;
  }
  async function begin() {
    find('form').hidden = find('search-line').hidden = false;
    find('camera').hidden = !navigator.mediaDevices?.getUserMedia;
    find('camera').addEventListener('click', () => void toggleCamera());
    find('search').addEventListener('input', show);
    find('form').addEventListener('submit', (event) => {
      event.preventDefault();
      const field = find('code');
      const code = field.value;
      field.value = '';
      void recordCode(code);
    });
    if (api) {
      // If the helper opens a new link to the event in this tab, the browser does not load the page again.
      addEventListener('hashchange', () => secretInAddress() && location.reload());
      secret = secretInAddress();
      if (secret) {
        await withStore('kept', 'readwrite', (kept) => kept.put(secret, 'secret'));
        history.replaceState(null, '', location.pathname);
      } else secret = (await withStore('kept', 'readonly', (kept) => kept.get('secret'))) ?? '';
    }
    queue = await withStore('scans', 'readonly', (scans) => scans.getAll());
    pack = (await withStore('kept', 'readonly', (kept) => kept.get('pack'))) ?? null;
    show();
    await send();
    if (!pack && !find('result').textContent) showResult(say('not_ready'), 'bad');
    addEventListener('online', () => void send());
    setInterval(() => void send(), SEND_EVERY_MS);
    if ('serviceWorker' in navigator) {
      await navigator.serviceWorker.register(path + '/worker.js', { scope: path });
      await navigator.serviceWorker.ready;
      root.dataset.ready = 'yes';
      isReady = true;
      show();
    }
  }
  void begin();
})();
