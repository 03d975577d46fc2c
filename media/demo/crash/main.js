// Crashes a few seconds after each start, for want of its settings.
function readSettings() {
  throw new Error('settings.json is missing');
}

console.log('starting');
setTimeout(readSettings, 3000);
