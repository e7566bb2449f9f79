// Starts a program of the package for this platform.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

module.exports = (program) => {
  const platform = `${process.platform}-${process.arch}`;
  let folder;
  try {
    folder = path.dirname(require.resolve(`sextant-code-index-${platform}/package.json`));
  } catch {
    console.error(`error: there are no programs for ${platform}`);
    console.error('\nhint: install without --omit=optional, or build from source');
    process.exit(2);
  }
  const done = spawnSync(path.join(folder, 'bin', program), process.argv.slice(2), { stdio: 'inherit' });
  if (done.error) {
    console.error(`error: ${program} cannot be started: ${done.error.message}`);
    process.exit(2);
  }
  process.exit(done.signal ? 130 : done.status);
};
