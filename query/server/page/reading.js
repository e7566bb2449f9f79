// What helps to read and move: menus and cards of names, keys, equal names. Loaded after the first screen.

import { closeMenu, listenForNames } from './menu.js';
import { hideCard, listenForHover } from './hover.js';
import { listenForKeys, showKeys } from './keys.js';
import { paint } from './sticky.js';

listenForNames();
listenForHover();
listenForKeys();

export { closeMenu, hideCard, paint, showKeys };
