// Suggests places while a person types in a field for a place. Without this script, the person types the whole name.
for (const input of document.querySelectorAll('input[data-places]')) {
  const list = document.createElement('datalist');
  list.id = `${input.id}-places`;
  input.after(list);
  input.setAttribute('list', list.id);
  input.autocomplete = 'off';
  let latestQuery = '';
  input.addEventListener('input', async () => {
    const q = input.value.trim();
    latestQuery = q;
    if (q.length < 2) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (latestQuery !== q) return;
    const response = await fetch(`${input.dataset.places}?q=${encodeURIComponent(q)}`).catch(() => null);
    if (!response?.ok || latestQuery !== q) return;
    const { data } = await response.json();
    list.replaceChildren(
      ...data.map(({ name, region, country }) => {
        const option = document.createElement('option');
        option.value = `${name}, ${region ?? country}`;
        return option;
      }),
    );
  });
}
