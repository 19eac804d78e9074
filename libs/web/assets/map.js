// Draws a map when the reader clicks the button of the map. Before the click, the browser sends nothing to other
// servers. Leaflet comes from this server, and the map tiles come from MAP_TILES_URL.
function load(name, attributes) {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(name), attributes, { onload: resolve, onerror: reject });
    document.head.append(element);
  });
}
for (const button of document.querySelectorAll('button[data-map]')) {
  button.hidden = false;
  // The link to OpenStreetMap is shown below the open map, or if the map could not be loaded. Before the click, the
  // reader sees only the button.
  const link = button.parentElement.querySelector('a');
  link.hidden = true;
  button.addEventListener('click', async () => {
    const { lat, lng, tiles, name, leaflet, attribution } = button.dataset;
    button.disabled = true;
    try {
      await load('link', { rel: 'stylesheet', href: `${leaflet}.css` });
      await load('script', { src: `${leaflet}.js` });
    } catch {
      // Leaflet could not be loaded. The reader can click again.
      button.disabled = false;
      link.hidden = false;
      return;
    }
    const container = document.createElement('div');
    container.className = 'map';
    container.setAttribute('role', 'region');
    container.setAttribute('aria-label', name);
    button.replaceWith(container);
    container.after(link);
    link.hidden = false;
    const { L } = globalThis;
    const map = L.map(container, { scrollWheelZoom: false }).setView([Number(lat), Number(lng)], 15);
    map.attributionControl.setPrefix(false);
    // Tile servers require the origin of the site, which the browser would not send under the page's Referrer-Policy.
    L.tileLayer(tiles, { maxZoom: 19, attribution, referrerPolicy: 'origin' }).addTo(map);
    L.circleMarker([Number(lat), Number(lng)], {
      radius: 10,
      color: '#fff',
      weight: 3,
      fillColor: '#b03517',
      fillOpacity: 1,
    })
      .bindTooltip(name)
      .addTo(map);
    container.tabIndex = 0;
    container.focus();
  });
}
