'use strict';
// Ends the extension host when its parent is gone; the native module does the same from a thread of its own.
const PARENT_GONE = 87;

exports.start = pid => {
  setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      process.exit(PARENT_GONE);
    }
  }, 1000).unref();
};
