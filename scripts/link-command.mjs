// Puts the command of this clone on the PATH as `toolblocks`, for any folder and for MCP hosts: pnpm link-command [--to FOLDER] [--remove]. It
// builds the command first; run it again after a pull.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { execaSync } from 'execa'

/** A line in every starter, so that no other file is overwritten or removed. */
const MARK = 'starts the toolblocks command of a clone'

const { values } = parseArgs({
  options: { to: { type: 'string' }, remove: { type: 'boolean', default: false } },
})
const onWindows = process.platform === 'win32'
const folder = resolve(values.to ?? join(homedir(), '.local/bin'))
const file = join(folder, onWindows ? 'toolblocks.cmd' : 'toolblocks')
const app = resolve(import.meta.dirname, '../apps/reference-host')

function say(text) {
  process.stdout.write(`${text}\n`)
}

function refuse(message) {
  process.stderr.write(`error: ${message}\n`)
  process.exit(2)
}

/** Quotes a path for a shell. */
function quote(path) {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`
}

/** Starts the built command with the Node of the workspace, with any PATH. */
function starter(node, main) {
  if (onWindows) return `@rem ${MARK}\r\n@"${node}" "${main}" %*\r\n`
  return `#!/bin/sh\n# ${MARK}\nexec ${quote(node)} ${quote(main)} "$@"\n`
}

if (existsSync(file) && !readFileSync(file, 'utf8').includes(MARK))
  refuse(`${file} is another program and was not replaced; name another folder with --to FOLDER`)
if (values.remove) {
  rmSync(file, { force: true })
  say(`Removed ${file}.`)
} else {
  execaSync('rolldown', ['-c'], {
    cwd: app,
    preferLocal: true,
    localDir: app,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, starter(process.execPath, join(app, 'dist/main.js')))
  chmodSync(file, 0o755)
  say(`Wrote ${file}.`)
  const places = (process.env.PATH ?? '').split(delimiter).map((each) => resolve(each))
  if (places.includes(folder)) say('Try: toolblocks --help')
  else if (onWindows) say(`${folder} is not on your PATH; add it in the settings of Windows.`)
  else
    say(
      `${folder} is not on your PATH. Run this in this shell, and add it to the startup file of your shell:\n  export PATH="${folder}:$PATH"`,
    )
}
