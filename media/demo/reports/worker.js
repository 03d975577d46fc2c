// Does a piece of work every two seconds.
let done = 0;

function work() {
  done += 1;
  console.log(`piece ${done} done`);
}

setInterval(work, 2000);
