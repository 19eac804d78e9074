// Asks the browser for the reader's position and searches around it. Without scripts, the reader can type the latitude
// and the longitude.
for (const button of document.querySelectorAll('button[data-near]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const { form } = button;
        // Three decimals are precise to about 100 metres, which does not reveal the building.
        form.elements.lat.value = coords.latitude.toFixed(3);
        form.elements.lng.value = coords.longitude.toFixed(3);
        form.requestSubmit();
      },
      () => {
        button.textContent = button.dataset.failed;
      },
    );
  });
}
