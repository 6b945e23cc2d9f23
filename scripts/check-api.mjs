// Compares the exports of published packages with the reports in their `api` folders, and checks two rules: every declaration is in a report, and a
// function whose name is a question returns a boolean. Reads the built declarations. With --update it writes the reports.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { execaSync } from 'execa'
import { findMisleadingNames } from './public-api/find-misleading-names.mjs'
import { findMissingComments } from './public-api/find-missing-comments.mjs'
import { readEntries } from './public-api/read-entries.mjs'
import { getCode, writeReports } from './public-api/write-reports.mjs'

const root = resolve(import.meta.dirname, '..')
const isUpdate = process.argv.includes('--update')
const entries = readEntries(root)
const work = mkdtempSync(join(tmpdir(), 'toolblocks-api-'))

/** Finds reports of entries that no longer exist. */
function findOldReports() {
  const reports = new Set(entries.map(({ report }) => report))
  const folders = [...new Set(entries.map(({ folder }) => join(folder, 'api')))].filter(existsSync)
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => file.endsWith('.api.md') && !reports.has(file))
}

/** Prints the changes of a report. Returns whether there are any. */
function isChanged({ report }, text) {
  const now = join(work, 'now.api.md')
  writeFileSync(now, text)
  const before = existsSync(report) ? report : '/dev/null'
  if (before === report && readFileSync(report, 'utf8') === text) return false
  const { stdout } = execaSync('git', ['diff', '--no-index', '--no-prefix', before, now], {
    reject: false,
  })
  // Omits the lines that name temporary files.
  console.error(`✗ ${relative(root, report)}\n${stdout.slice(stdout.indexOf('@@'))}\n`)
  return true
}

/** Finds problems of the public API that no report should accept. */
function findProblems(reports) {
  const names = reports.flatMap(({ entry, text }) =>
    findMisleadingNames(getCode(text)).map(
      (name) =>
        `${entry.name}: ${name}, but its name is a question: rename it, or return a boolean`,
    ),
  )
  const comments = findMissingComments(entries, root).map(
    (name) =>
      `${name}: write a comment in the source (scripts/public-api/find-missing-comments.mjs has the rules)`,
  )
  return [...names, ...comments]
}

try {
  const reports = writeReports(entries, work)
  const old = findOldReports()
  if (isUpdate) {
    for (const { entry, text } of reports) {
      mkdirSync(dirname(entry.report), { recursive: true })
      writeFileSync(entry.report, text)
    }
    for (const file of old) rmSync(file)
  } else {
    const changed = reports.filter(({ entry, text }) => isChanged(entry, text))
    for (const file of old) console.error(`✗ ${relative(root, file)} belongs to no entry\n`)
    if (changed.length + old.length > 0) {
      console.error(
        `The public API differs from ${changed.length + old.length} report(s). If this is intended, run pnpm api:update, and commit the reports with a changeset.`,
      )
      process.exitCode = 1
    }
  }
  const problems = findProblems(reports)
  for (const problem of problems) console.error(`✗ ${problem}`)
  if (problems.length > 0) process.exitCode = 1
  console.log(`${isUpdate ? 'wrote' : 'compared'} ${reports.length} reports`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
