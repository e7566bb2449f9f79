// Turns the hash of the address into a screen with parameters, and back. Everything that a person can look at has an
// address of its own.

/** Returns the screen and the parameters of a hash such as `#/search?q=a`. */
export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { screen: path || 'search', params: new URLSearchParams(query) };
}

/** Returns the hash of a screen. Parameters that are empty, false or null are left out; lists repeat the name. */
export function href(screen, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== false && one !== '')
        query.append(name, one === true ? '1' : String(one));
    }
  }
  const text = query.toString();
  return `#/${screen}${text ? `?${text}` : ''}`;
}

/** Returns the hash of this address with some parameters changed. */
export function changed(parameters) {
  const { screen, params } = parse(location.hash);
  const all = {};
  for (const name of new Set(params.keys())) all[name] = params.getAll(name);
  return href(screen, { ...all, ...parameters });
}

/** Opens a hash. */
export function go(hash) {
  location.hash = hash;
}

/** Returns `repo/path`, which names a file in every index. */
const fileOf = (location) => `${location.repo}/${location.path}`;

/** Returns the hash of a file, or of lines of it. */
export function fileHref(location, index, first = null, last = null) {
  const line = first === null ? null : last === null || last === first ? `${first}` : `${first}-${last}`;
  return href('file', { file: fileOf(location), line, index });
}

/** Returns the hash of a symbol: its key names it in every index that has it. */
export function symbolHref(symbol, index, screen = 'symbol') {
  return href(screen, { name: symbol.key, index });
}
