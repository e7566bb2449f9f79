// Sets the chosen theme before the first paint, so that the page does not flash. A module would run too late.
'use strict';
{
  const theme = localStorage.getItem('theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
}
