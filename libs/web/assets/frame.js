// Reports the height and the title of this frame to the surrounding page, and no other data.
'use strict';
if (window.parent !== window) {
  // The height of the content. The height of the document cannot be used, because it is never less than the height of
  // the frame.
  const report = () => {
    const { title, body } = document;
    window.parent.postMessage({ type: 'events-embed', height: body.offsetHeight, title }, '*');
  };
  new ResizeObserver(report).observe(document.body);
  addEventListener('load', report);
}
