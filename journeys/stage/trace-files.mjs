// Loaded before a program: writes each path that it opens, creates, moves or removes to the file TRACE_FILES, with the place in the program that does
// it, as a line of JSON.
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

/** What SQLite itself opens beside a database. */
const BESIDE = ['', '-wal', '-shm', '-journal']

/** The number of functions that make a place: the one that opens, and those that call it. */
const DEPTH = 4

Error.stackTraceLimit = 30

function write(paths) {
  const frames = (new Error().stack ?? '').split('\n').slice(1)
  const own = frames.filter((frame) => !/\(?node:|trace-files\.mjs/.test(frame)).slice(0, DEPTH)
  const stack = own.map((frame) => frame.trim()).join(' < ')
  for (const path of paths)
    if (typeof path !== 'number')
      writeSync(log, `${JSON.stringify({ path: String(path), stack })}\n`)
}

function trace(owner, name, count) {
  const { [name]: original } = owner
  if (typeof original !== 'function') return
  owner[name] = function (...parameters) {
    write(parameters.slice(0, count))
    return Reflect.apply(original, this, parameters)
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

const { emitWarning } = process
// Node 22 calls the module experimental.
process.emitWarning = () => {}
const sqlite = process.getBuiltinModule('node:sqlite')
process.emitWarning = emitWarning
const { DatabaseSync } = sqlite
sqlite.DatabaseSync = class extends DatabaseSync {
  constructor(path, ...options) {
    write(BESIDE.map((end) => `${String(path)}${end}`))
    super(path, ...options)
  }
}
syncBuiltinESMExports()
