// A job: works for a moment and ends well.
console.log('cleaning up');
setTimeout(() => console.log('clean'), 3000);
