// The button asks the browser for the reader's position, and searches around this position. Without scripts, the reader
// can type a place, or the latitude and the longitude.
for (const button of document.querySelectorAll('button[data-near]')) {
  const { elements } = button.form;
  button.hidden = false;
  // The server prefers coordinates to a place, so a typed or chosen place clears the coordinates. The text field for
  // the place has the name `place`. If several places have the typed name, radio buttons have this name too.
  button.form.addEventListener('input', ({ target }) => {
    if (target.name === 'place') elements.lat.value = elements.lng.value = '';
  });
  button.addEventListener('click', () => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        // Three decimals are precise to about 100 metres, which does not reveal the building.
        elements.lat.value = coords.latitude.toFixed(3);
        elements.lng.value = coords.longitude.toFixed(3);
        button.form.requestSubmit();
      },
      () => {
        button.textContent = button.dataset.failed;
      },
    );
  });
}
