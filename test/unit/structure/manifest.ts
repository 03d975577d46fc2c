import { readFileSync } from 'node:fs';
import { inRoot } from '../../../.ci/lib/paths.ts';

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
  readonly enablement?: string;
}

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Property {
  readonly default?: unknown;
  readonly description?: string;
  readonly markdownDescription?: string;
}

/** The parts of package.json that the tests look at. */
export interface Manifest {
  readonly main: string;
  readonly icon: string;
  readonly l10n: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly extensionKind: readonly string[];
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly capabilities: Readonly<Record<string, { readonly supported: unknown; readonly description?: string }>>;
  readonly activationEvents?: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly Command[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Property>> };
  };
}

export const manifestText: string = readFileSync(inRoot('package.json'), 'utf8');
export const manifest = JSON.parse(manifestText) as Manifest;

/** The sentences of package.nls.json by their key. */
export const sentences = JSON.parse(readFileSync(inRoot('package.nls.json'), 'utf8')) as Record<string, string>;

const { commands, menus, viewsWelcome } = manifest.contributes;

export const menuItems: readonly MenuItem[] = Object.values(menus).flat();

/** Every condition in the manifest. */
export const clauses: readonly string[] = [
  ...commands.map(({ enablement }) => enablement),
  ...menuItems.map(({ when }) => when),
  ...viewsWelcome.map(({ when }) => when),
].filter(clause => clause !== undefined);

/** Commands that a sentence has as a link: `[text](command:id?arguments)`. */
export const linkedCommands: readonly string[] = Object.values(sentences).flatMap(text =>
  [...text.matchAll(/\(command:([\w.-]+)/g)].map(([, id]) => id!),
);
