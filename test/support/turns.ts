// One program in four languages: it counts its turns for ever. Each has a debugger that listens, and waits for one if asked to.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { findDelve } from './delve.ts';
import { freePort } from './listeners.ts';
import { startDebugpy } from './debugpy.ts';
import { descendants, skipWithoutProc } from './linuxProcesses.ts';
import { type Program, start } from './program.ts';

/** A program that runs, or waits for its debugger. */
export interface Turning {
  readonly program: Program;
  /** Of its debug server. */
  readonly port: number;
  readonly file: string;
}

export interface TurningSample {
  /** As rows and recipes call it. */
  readonly runtime: 'python' | 'go' | 'jvm';
  /** Line in which a turn is made, and the first line of the program that does something. */
  readonly line: number;
  readonly firstLine: number;
  /** Of the function of the turn, as its debugger calls it. */
  readonly frame: RegExp;
  start(t: TestContext, options: { suspended: boolean }): Promise<Turning>;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'breakpod-turns-')));
after(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, ...lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const python: TurningSample = {
  runtime: 'python',
  line: 3,
  firstLine: 1,
  frame: /^turn$/,
  async start(t, { suspended }) {
    const file = write(
      'turns.py',
      ...['import time', 'def turn(n):', '    return n + 1', 'n = 0', 'while True:', '    n = turn(n)'],
      ...['    print("turn", n)', '    time.sleep(0.1)'],
    );
    return { file, ...(await startDebugpy(t, file, suspended ? ['--wait-for-client'] : [])) };
  },
};

const go: TurningSample = {
  runtime: 'go',
  line: 9,
  firstLine: 12,
  frame: /^main\.turn$/,
  async start(t, { suspended }) {
    const file = write(
      'main.go',
      ...['package main', 'import (', '\t"fmt"', '\t"time"', ')', '', '//go:noinline', 'func turn(n int) int {'],
      ...[
        '\treturn n + 1',
        '}',
        'func main() {',
        '\tn := 0',
        '\tfor {',
        '\t\tn = turn(n)',
        '\t\tfmt.Println("turn", n)',
      ],
      ...['\t\ttime.Sleep(100 * time.Millisecond)', '\t}', '}'],
    );
    const binary = join(folder, 'turns');
    execFileSync('go', ['build', '-gcflags=all=-N -l', '-o', binary, file], {
      env: { ...process.env, GO111MODULE: 'off' },
    });
    const port = await freePort();
    const server = ['--headless', `--listen=127.0.0.1:${port}`, '--accept-multiclient', '--check-go-version=false'];
    const after = (end: () => void) =>
      t.after(() => {
        // A dlv that is killed lets its program live.
        for (const pid of skipWithoutProc ? [] : descendants(program.process.pid!)) process.kill(pid, 'SIGKILL');
        end();
      });
    const more = suspended ? [] : ['--continue'];
    const program = start({ after }, findDelve() ?? 'dlv', ['exec', binary, ...server, ...more]);
    return { file, port, program };
  },
};

const jvm: TurningSample = {
  runtime: 'jvm',
  line: 3,
  firstLine: 6,
  frame: /^Turns\.turn/,
  async start(t, { suspended }) {
    const file = write(
      'Turns.java',
      ...['public class Turns {', '  static int turn(int n) {', '    return n + 1;', '  }'],
      ...['  public static void main(String[] args) throws Exception {', '    int n = 0;', '    while (true) {'],
      ...[
        '      n = turn(n);',
        '      System.out.println("turn " + n);',
        '      Thread.sleep(100);',
        '    }',
        '  }',
        '}',
      ],
    );
    execFileSync('javac', ['-g', '-d', folder, file]);
    const agent = `-agentlib:jdwp=transport=dt_socket,server=y,suspend=${suspended ? 'y' : 'n'},address=127.0.0.1:0`;
    const program = start(t, 'java', [agent, '-cp', folder, 'Turns']);
    const [, port] = await program.until(/Listening for transport dt_socket at address: (\d+)/);
    return { file, program, port: Number(port) };
  },
};

export const turningSamples: readonly TurningSample[] = [python, go, jvm];
