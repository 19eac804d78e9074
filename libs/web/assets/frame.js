// Reports the height of this frame to the surrounding page, and no other data.
'use strict';
if (window.parent !== window) {
  // The height of the content. The document's own height cannot be used: it is never less than the frame's height.
  const report = () => window.parent.postMessage({ type: 'events-embed', height: document.body.offsetHeight }, '*');
  new ResizeObserver(report).observe(document.body);
  addEventListener('load', report);
}
