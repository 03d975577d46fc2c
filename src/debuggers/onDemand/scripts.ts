// Programs that run in the container's own Node, whichever version that is: nothing newer than Node 8.

const COMMON = `'use strict';
var fs = require('fs');
function read(file) { try { return fs.readFileSync(file, 'utf8'); } catch (e) { return ''; } }
function link(file) { try { return fs.readlinkSync(file); } catch (e) { return ''; } }
function list(dir) { try { return fs.readdirSync(dir); } catch (e) { return []; } }
function stat(pid) { var text = read('/proc/' + pid + '/stat'); return text.slice(text.lastIndexOf(')') + 2).split(' '); }
function has(status, name) {
  var found = new RegExp('^' + name + ':\\\\s*([0-9a-f]+)', 'm').exec(status);
  return found ? (parseInt(found[1].slice(-8), 16) & 512) !== 0 : false;
}
`;

/**
 * Prints JSON of the processes that run Node (\`Look\`), as /proc tells of them (Linux \`proc(5)\`). Of the environment it takes
 * the two variables that it needs. Processes are those that descend from whoever started this one: in a container that is
 * everybody, for its parent is outside of the container and has number 0.
 */
export const LOOK = `${COMMON}
var ports = {}, taken = {};
['tcp', 'tcp6'].forEach(function (name) {
  read('/proc/net/' + name).split('\\n').slice(1).forEach(function (line) {
    var words = line.trim().split(/\\s+/);
    if (words[3] !== '0A') return;
    var port = parseInt(words[1].split(':').pop(), 16);
    ports[words[9]] = port;
    taken[port] = true;
  });
});
var parents = {};
list('/proc').forEach(function (name) { if (/^\\d+$/.test(name)) parents[name] = Number(stat(name)[1]); });
var own = String(process.pid), outside = parents[own];
function isOurs(pid) {
  for (var at = parents[pid], n = 0; at > 0 && n < 1000; at = parents[at], n++) if (at === outside) return true;
  return outside === 0;
}
function variable(environ, name) {
  var found = environ.split('\\0').filter(function (one) { return one.indexOf(name + '=') === 0; })[0];
  return found === undefined ? null : found.slice(name.length + 1);
}
var mount = link('/proc/self/ns/mnt');
var found = { host: process.env.HOSTNAME || null, taken: Object.keys(taken).map(Number), processes: [], others: [] };
Object.keys(parents).forEach(function (name) {
  if (name === own || !isOurs(Number(name))) return;
  var dir = '/proc/' + name + '/';
  var command = read(dir + 'cmdline').replace(/[\\0 ]+$/, '').split('\\0');
  if (command[0] === '') return;
  var environ = read(dir + 'environ');
  var exe = link(dir + 'exe').replace(/ \\(deleted\\)$/, '');
  var program = (exe || command[0]).split('/').pop();
  if (!/^node(js)?[-.\\d]*$/.test(program) && variable(environ, 'ELECTRON_RUN_AS_NODE') === null) {
    if (found.others.length < 5) found.others.push(name + ' ' + command.join(' ').slice(0, 80));
    return;
  }
  var fields = stat(name), status = read(dir + 'status'), listens = {};
  list(dir + 'fd').forEach(function (fd) {
    var socket = /^socket:\\[(\\d+)\\]$/.exec(link(dir + 'fd/' + fd));
    if (socket && ports[socket[1]]) listens[ports[socket[1]]] = true;
  });
  var where = link(dir + 'ns/mnt');
  found.processes.push({
    pid: Number(name), parent: parents[name], started: fields[19] || '', command: command,
    cwd: link(dir + 'cwd'), options: variable(environ, 'NODE_OPTIONS'), host: variable(environ, 'HOSTNAME'),
    elsewhere: where !== '' && mount !== '' && where !== mount,
    caught: has(status, 'SigCgt'), listens: Object.keys(listens).map(Number),
  });
});
process.stdout.write(JSON.stringify(found));
`;

/**
 * Sends SIGUSR1 to the process whose number and start it is given, if it is still that one and catches the signal (else the
 * signal would end it). Exit codes: 0 sent, 3 not sent.
 */
export const SIGNAL = `${COMMON}
var pid = process.argv[1];
if (stat(pid)[19] !== process.argv[2] || !has(read('/proc/' + pid + '/status'), 'SigCgt')) process.exit(3);
process.kill(Number(pid), 'SIGUSR1');
`;

/** For a shell: where the programs of all processes are, one a line. */
export const PROGRAMS = 'for process in /proc/[0-9]*; do readlink "$process/exe"; done 2>/dev/null; exit 0';

/** For a shell: runs what it is given without the variables that would change Node. */
export const PLAIN = 'unset NODE_OPTIONS NODE_V8_COVERAGE; exec "$0" "$@"';
