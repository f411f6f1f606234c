/** Gives an element the theme that the browser prefers, now and whenever that changes. */
export function followTheme(root: HTMLElement): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => {
    root.dataset.theme = dark.matches ? 'dark' : 'light';
  };
  dark.addEventListener('change', follow);
  follow();
}
