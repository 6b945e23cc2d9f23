// If a registry lacks the binary package of a platform, pnpm removes that package from pnpm-lock.yaml without a message. This check fails if a
// package with Linux binaries has none for macOS or Windows.
import { readFileSync } from 'node:fs'

const lock = readFileSync(new URL('../pnpm-lock.yaml', import.meta.url), 'utf8')
const section = (name) => lock.split(new RegExp(`^${name}:$`, 'm'))[1]?.split(/^\S/m)[0] ?? ''
const entries = (text) =>
  text
    .split(/^ {2}(?=\S)/m)
    .slice(1)
    .map((block) => [block.split(/:\s*(?:\{\})?\n/)[0].replaceAll("'", ''), block])

const os = new Map(
  entries(section('packages')).map(([key, b]) => [key, b.match(/^ {4}os: \[(.*)\]$/m)?.[1] ?? '']),
)
const bad = []
for (const [key, block] of entries(section('snapshots'))) {
  const optional = block.split(/^ {4}optionalDependencies:$/m)[1]?.split(/^ {4}\S/m)[0] ?? ''
  const platforms = [...optional.matchAll(/^ {6}'?([^':]+)'?: (\S+)$/gm)].map(
    ([, n, v]) => os.get(`${n}@${v.split('(')[0]}`) ?? '',
  )
  if (!platforms.some((o) => o.includes('linux'))) continue
  for (const want of ['darwin', 'win32'])
    if (!platforms.some((o) => o.includes(want))) bad.push(`${key}: no ${want} package`)
}
if (bad.length > 0) {
  console.error(bad.join('\n'))
  process.exit(1)
}
