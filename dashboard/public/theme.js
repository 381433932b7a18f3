// Before anything is painted, so that a dark page does not begin white. A file of its own: the policy allows no inline script.
(() => {
  let taste = 'system';
  try {
    taste = localStorage.getItem('pincer.theme') ?? 'system';
  } catch {}
  const isDark =
    taste === 'dark' || (taste === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
})();
