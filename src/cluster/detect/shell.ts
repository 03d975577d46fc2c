import { LONGEST_TEXT, MOST_WORDS, type Variables } from './expand.ts';

/** One simple command of a script, expanded, with the variables that it sees. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly variables: Variables;
}

const KEYWORDS = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{', '}', '!', 'time']);
const LOOPS = new Set(['for', 'case', 'select', 'fi', 'done', 'esac', 'function']);
const ASSIGNMENT = /^([A-Za-z_]\w*)=([\s\S]*)$/;
const MOST_COMMANDS = 200;
const MOST_EXPANDED = 8 * LONGEST_TEXT;

/**
 * The simple commands of a shell script, in their order: quotes, `$X` and `${X:-y}`, assignments, `&&`, `;` and the like
 * (POSIX, Shell Command Language). What only a running shell could know stays as its own text (`$X`, `$(…)`); branches
 * are not weighed: all of them are returned. `parameters` are `$1` and following.
 */
export function shellCommands(script: string, variables: Variables, parameters: readonly string[]): ShellCommand[] {
  const known = new Map(variables);
  const commands: ShellCommand[] = [];
  const scanner = new Scanner(script, known, parameters);
  for (let words = scanner.command(); words && commands.length < MOST_COMMANDS; words = scanner.command()) {
    const command = evaluate(words, known);
    if (command) commands.push(command);
  }
  return commands;
}

/** Applies assignments; returns the command that is left, if any. */
function evaluate(words: readonly string[], known: Map<string, string>): ShellCommand | undefined {
  let start = words.findIndex(word => !KEYWORDS.has(word));
  if (start < 0 || LOOPS.has(words[start]!)) return undefined;
  if (words[start] === 'unset') for (const name of words.slice(start + 1)) known.delete(name);
  const exported = words[start] === 'export';
  if (exported) start++;
  const own = new Map<string, string>();
  for (; start < words.length; start++) {
    const [, name, value] = ASSIGNMENT.exec(words[start]!) ?? [];
    if (name === undefined) break;
    own.set(name, value!);
  }
  if (start < words.length && !exported) return { words: words.slice(start), variables: new Map([...known, ...own]) };
  for (const [name, value] of own)
    if (value.length <= LONGEST_TEXT) known.set(name, value);
    else known.delete(name);
  return undefined;
}

/** Reads a script from left to right; expands with the variables known at that moment. */
class Scanner {
  private at = 0;
  /** Characters that expansions have brought so far. */
  private expanded = 0;
  private readonly script: string;
  private readonly variables: Variables;
  private readonly parameters: readonly string[];

  constructor(script: string, variables: Variables, parameters: readonly string[]) {
    this.script = script;
    this.variables = variables;
    this.parameters = parameters;
  }

  /** The words up to the next operator; `undefined` at the end of the script. */
  command(): string[] | undefined {
    if (this.at >= this.script.length) return undefined;
    const words: string[] = [];
    let assigning = true;
    while (this.at < this.script.length && words.length < MOST_WORDS) {
      if (this.take(/(?:[ \t\r]|\\\n)+|#[^\n]*/y)) continue;
      if (this.take(/[;&|\n()]+/y)) break;
      if (this.take(/\d*(?:>&|<&|>>|<<-?|<>|>\||[<>])[ \t]*/y)) {
        this.word(false);
        continue;
      }
      const next = this.word(assigning);
      assigning &&= next.every(word => ASSIGNMENT.test(word) || word === 'export');
      words.push(...next);
    }
    return words;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.script)?.[0];
    if (found) this.at += found.length;
    return found;
  }

  /** One word; an unquoted variable can make several of it, or none, but not in an assignment. */
  private word(mayAssign: boolean): string[] {
    const assigns = mayAssign && /^[A-Za-z_]\w*=/.test(this.script.slice(this.at, this.at + 256));
    const fields: string[] = [];
    let field: string | undefined;
    while (this.at < this.script.length) {
      const plain = this.take(/[^\s'"\\$`;&|()<>]+/y);
      if (plain !== undefined) {
        field = (field ?? '') + plain;
      } else if (this.take(/'/y)) {
        field = (field ?? '') + (this.take(/[^']+/y) ?? '');
        this.at++;
      } else if (this.take(/"/y)) {
        const [first, ...rest] = this.quoted();
        if (first !== undefined) field = (field ?? '') + first;
        for (const next of rest) {
          fields.push(field ?? '');
          field = next;
        }
      } else if (this.take(/\\\n/y)) {
        continue;
      } else if (this.take(/\\/y)) {
        field = (field ?? '') + (this.take(/[\s\S]/y) ?? '\\');
      } else if (/[$`]/.test(this.script[this.at]!)) {
        const value = this.expansion().join(' ');
        const parts = assigns ? [value] : value.split(/\s+/);
        field = (field ?? '') + (parts[0] ?? '');
        for (const next of parts.slice(1)) {
          if (field) fields.push(field);
          field = next;
        }
        if (field === '') field = undefined;
      } else break;
    }
    if (field !== undefined) fields.push(field);
    return fields;
  }

  /** The inside of double quotes: one text, or those of `"$@"`. */
  private quoted(): string[] {
    if (this.take(/\$@"/y)) return [...this.parameters];
    let text = '';
    while (this.at < this.script.length) {
      const plain = this.take(/[^"\\$`]+/y);
      if (plain !== undefined) text += plain;
      else if (this.take(/"/y)) break;
      else if (this.take(/\\\n/y)) continue;
      else if (this.take(/\\(?=[$`"\\])/y)) text += this.take(/[\s\S]/y);
      else if (this.take(/\\/y)) text += '\\';
      else text += this.expansion().join(' ');
    }
    return [text];
  }

  /** What stands at a `$` or a backtick; nothing that is known when the script has become too long by it. */
  private expansion(): string[] {
    const texts = this.valueHere();
    for (const text of texts) this.expanded += text.length;
    return this.expanded > MOST_EXPANDED ? ['$'] : texts;
  }

  private valueHere(): string[] {
    const substituted = this.take(/`[^`]*`?/y) ?? this.take(/\$\((?:[^()]|\([^()]*\))*\)?/y);
    if (substituted !== undefined) return [substituted.replace(/\s+/g, '')];
    const braced = this.take(/\$\{[^}]{0,1024}\}/y);
    if (braced !== undefined) return [this.braced(braced)];
    if (this.take(/\$[@*]/y)) return [...this.parameters];
    const name = this.take(/\$(?:[A-Za-z_]\w*|\d)/y);
    if (name === undefined) return [this.take(/\$[\s\S]?/y)!];
    return [this.value(name.slice(1)) ?? name];
  }

  private braced(text: string): string {
    const [, name = '', operator = '', word = ''] = /^\$\{(\w+)(:?[-=+])?([\s\S]*)\}$/.exec(text) ?? [];
    const value = this.value(name);
    const isSet = value !== undefined && (value !== '' || !operator.startsWith(':'));
    if (operator === '') return word === '' ? (value ?? text) : text;
    if (operator.endsWith('+')) return isSet ? word : '';
    return isSet ? value : word;
  }

  private value(name: string): string | undefined {
    return /^[1-9]$/.test(name) ? (this.parameters[Number(name) - 1] ?? '') : this.variables.get(name);
  }
}
