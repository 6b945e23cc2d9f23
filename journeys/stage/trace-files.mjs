// Loaded before a program: writes the path of each file that it opens, creates, moves or removes to the file TRACE_FILES, one a line.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { openSync, writeSync } = fs
const log = openSync(process.env.TRACE_FILES ?? '', 'a')

/** Functions of `node:fs` with a path as their first argument, and those with a second one. */
const ONE = [
  'appendFile',
  'chmod',
  'mkdir',
  'mkdtemp',
  'open',
  'readFile',
  'rm',
  'rmdir',
  'truncate',
  'unlink',
  'utimes',
  'writeFile',
  'createReadStream',
  'createWriteStream',
]
const TWO = ['copyFile', 'cp', 'link', 'rename', 'symlink']

function trace(owner, name, count) {
  const { [name]: original } = owner
  if (typeof original !== 'function') return
  owner[name] = function (...given) {
    for (const path of given.slice(0, count))
      if (typeof path !== 'number') writeSync(log, `${String(path)}\n`)
    return Reflect.apply(original, this, given)
  }
}

for (const [names, count] of [
  [ONE, 1],
  [TWO, 2],
])
  for (const name of names) {
    trace(fs, name, count)
    trace(fs, `${name}Sync`, count)
    trace(fs.promises, name, count)
  }
syncBuiltinESMExports()
