'use strict';
// VS Code writes every log file, and so every LogOutputChannel, through the native module @vscode/spdlog. Building that
// takes half a minute of compiler time; this stand-in has the same interface and writes at once.
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
let globalLevel = 0;

const two = number => String(number).padStart(2, '0');

/** Local time as spdlog's default pattern has it. */
function timestamp(date) {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

class Logger {
  constructor(_type, _name, file) {
    this.level = globalLevel;
    this.isFormatted = true;
    this.file = fs.openSync(file, 'a');
  }
  write(level, message) {
    if (level < this.level || this.file === undefined) return;
    const line = this.isFormatted ? `${timestamp(new Date())} [${LEVELS[level]}] ${message}\n` : message;
    fs.writeSync(this.file, line);
  }
  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {
    this.isFormatted = true;
  }
  clearFormatters() {
    this.isFormatted = false;
  }
  flush() {}
  drop() {
    if (this.file !== undefined) fs.closeSync(this.file);
    this.file = undefined;
  }
}

async function create(name, file) {
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
}

exports.version = 0;
exports.setLevel = level => {
  globalLevel = level;
};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
