import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The folder in which programs find the packages by name. */
const PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url))

/** Creates a folder of a user with these files; the packages that they import are installed. It is removed when the test ends. */
export function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-journey-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(PACKAGES, join(folder, 'node_modules'), 'junction')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** The TOML table of a tool that runs a program of the folder without asking. `more` is TOML. */
export function tool(name: string, command: readonly string[], more = 'parameters = {}'): string {
  const commandText = JSON.stringify(command)
  return `\n[tools.${name}]\nsource = "local"\ncommand = ${commandText}\nrun = "unattended"\n${more}\n`
}

/** The command of a tool that prints a file of the folder for every call. */
export function createPrintCommand(file: string): readonly string[] {
  return ['cat', file]
}

/** Formats a result as a tool prints it. */
export function toToolOutput(content: readonly object[], more: object = {}): string {
  return JSON.stringify({ content, ...more })
}
