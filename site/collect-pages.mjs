// Writes the pages of the site from the documents of the repository: `docs/*.md`, the READMEs, the changelogs and the API reports. Nothing is
// copied by hand. Each link to a document becomes a link to its page, and each link to another file a link to the repository; a link to a file
// that does not exist ends the build with an error.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SECTIONS } from './pages.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SITE = fileURLToPath(new URL('.', import.meta.url))
const CONTENT = join(SITE, 'src/content/docs')
const GENERATED = join(SITE, 'src/generated')
const PUBLIC = join(SITE, 'public')

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The address of the repository, from the root manifest. */
const repository = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

/** Writes all pages, the sidebar, `llms.txt` and `llms-full.txt`. Returns the number of pages. */
export function collectPages() {
  for (const folder of [CONTENT, GENERATED, PUBLIC])
    rmSync(folder, { recursive: true, force: true })
  const sections = SECTIONS.map(fillSection)
  const pages = sections.flatMap(({ pages: own, groups }) => [
    ...own,
    ...groups.flatMap((group) => group.pages),
  ])
  checkOnce(pages)
  const paths = new Map([
    ...pages.flatMap(({ files, path }) => files.map((file) => [file, path])),
    ...sections.flatMap(({ links }) =>
      links.flatMap(({ file, link }) => (file ? [[file, link.replaceAll(/^\/|\/$/g, '')]] : [])),
    ),
  ])
  const written = pages.map((page) => ({ ...page, body: writePage(page, paths) }))
  writeMissingPage()
  cpSync(join(SITE, 'static'), PUBLIC, { recursive: true })
  cpSync(join(ROOT, 'docs/pictures'), join(PUBLIC, 'pictures'), { recursive: true })
  write(join(GENERATED, 'sidebar.json'), JSON.stringify(sections.map(toSidebar)))
  write(join(GENERATED, 'repository.json'), JSON.stringify({ repository }))
  writeForModels(sections, written)
  return pages.length
}

/** Adds the packages and the documents that no section names. Documents of a section that do not exist are an error. */
function fillSection({ label, pages, links = [], packages = false, others = false }) {
  const found = others ? [...pages, ...findOthers()] : pages
  return {
    label,
    links,
    pages: found.map(readPage),
    groups: packages ? findPackages().map(readPackage) : [],
  }
}

const named = new Set(SECTIONS.flatMap(({ pages }) => pages.map(({ file }) => file)))

function findOthers() {
  return readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ file: `docs/${name}` }))
    .filter(({ file }) => !named.has(file))
}

function findPackages() {
  return readdirSync(join(ROOT, 'packages'))
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(ROOT, folder, 'README.md')))
}

function readPage({
  file,
  path = basename(file, '.md').toLowerCase(),
  title,
  label,
  hidden = false,
}) {
  if (file.endsWith('/README.md') && file.startsWith('packages/')) path = dirname(file)
  const text = readFileSync(join(ROOT, file), 'utf8')
  const [, heading] = /^# (.*)$/m.exec(text) ?? []
  if (heading === undefined) throw new Error(`${file} has no title: its first line must be "# …".`)
  const own = title ?? heading.replaceAll('`', '')
  return { files: [file], path, title: own, label, hidden, text: text.replace(/^# .*\n+/, '') }
}

/** The pages of one package: its README (unless a section has it), its API and its changelog. */
function readPackage(folder) {
  const { name } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const readme = `${folder}/README.md`
  const changelog = `${folder}/CHANGELOG.md`
  const reports = existsSync(join(ROOT, folder, 'api'))
    ? readdirSync(join(ROOT, folder, 'api'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.api.md'))
        .map((file) => file.replaceAll('\\', '/'))
        .toSorted((one, other) => getEntry(name, one).localeCompare(getEntry(name, other)))
    : []
  return {
    label: name,
    pages: [
      ...(named.has(readme) ? [] : [{ ...readPage({ file: readme }), label: 'README' }]),
      ...(reports.length > 0 ? [readReports(name, folder, reports)] : []),
      ...(existsSync(join(ROOT, changelog)) ? [readChangelog(name, folder, changelog)] : []),
    ],
  }
}

/** The name by which a program imports what a report lists: `html.api.md` is `@toolblocks/renderer/html`. */
function getEntry(name, report) {
  const entry = report.replace(/\.api\.md$/, '')
  return entry === 'index' ? name : `${name}/${entry}`
}

function readReports(name, folder, reports) {
  const parts = reports.map((report) => {
    const text = readFileSync(join(ROOT, folder, 'api', report), 'utf8')
    const [, code] = /^```ts\n([\s\S]*?)^```$/m.exec(text) ?? []
    if (code === undefined) throw new Error(`${folder}/api/${report} contains no code block.`)
    return `## \`${getEntry(name, report)}\`\n\n\`\`\`ts\n${code.trim()}\n\`\`\`\n`
  })
  const intro = `Everything that \`${name}\` exports, with its types. API Extractor writes this list from the sources.\n\n`
  return {
    files: reports.map((report) => `${folder}/api/${report}`),
    path: `${folder}/api`,
    title: `API of ${name}`,
    label: 'API',
    text: intro + parts.join('\n'),
  }
}

function readChangelog(name, folder, file) {
  const page = readPage({ file, path: `${folder}/changelog`, title: `Changes of ${name}` })
  return { ...page, label: 'Changelog' }
}

function checkOnce(pages) {
  const seen = new Set()
  for (const key of pages.flatMap(({ files, path }) => [path, ...files])) {
    if (seen.has(key)) throw new Error(`${key} is in two places of the sidebar. Remove one.`)
    seen.add(key)
  }
}

function toSidebar({ label, pages, groups, links }) {
  return {
    label,
    items: [
      ...pages.filter(({ hidden }) => !hidden).map(toLink),
      ...links.map(({ label: text, link }) => ({ label: text, link })),
      ...(groups.length > 0
        ? [{ label: 'Packages', collapsed: true, items: groups.map(toGroup) }]
        : []),
    ],
  }
}

function toGroup({ label, pages }) {
  return { label, collapsed: true, items: pages.map(toLink) }
}

function toLink({ path, label }) {
  return { slug: path, ...(label && { label }) }
}

/** The page for an address that has none. Its text is in src/content/i18n/en.json. */
function writeMissingPage() {
  const front = 'title: No page\ntemplate: splash\neditUrl: false\npagefind: false'
  write(
    join(CONTENT, '404.md'),
    `---\n${front}\n---\n\nThere is no page at this address. The search finds pages by their words.\n`,
  )
}

/** Writes one page, and returns its body. */
function writePage({ files, path, title, text }, paths) {
  const [file = ''] = files
  const body = mapText(text, (line) => rewriteLinks(line, file, path, paths))
  const isReport = file.endsWith('.api.md')
  const front = [
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(describe(text))}`,
    `editUrl: ${isReport ? 'false' : JSON.stringify(`${repository}/edit/main/${file}`)}`,
  ]
  write(join(CONTENT, `${path}.md`), `---\n${front.join('\n')}\n---\n\n${body}`)
  return body
}

/** Returns the first paragraph as plain text, without the code before it, up to the end of the sentence in which the 160th character is. */
function describe(text) {
  const [first = ''] = text
    .replaceAll(/^(`{3,})[^]*?^\1$/gm, '')
    .split(/\n{2,}/)
    .filter((part) => /^[A-Z`*[]/.test(part))
  const plain = first
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const [sentence = plain] = /^.{60,}?[.:](?= |$)/.exec(plain) ?? []
  return sentence.replace(/:$/, '.')
}

/** Calls `change` for each line outside code blocks, and gives the opening lines of code blocks the form that Starlight reads. */
function mapText(text, change) {
  let fence
  return text
    .split('\n')
    .map((line) => {
      const [, indent = '', ticks, info = ''] = /^( *)(`{3,})([^`]*)$/.exec(line) ?? []
      if (fence === undefined && ticks !== undefined) {
        fence = ticks
        return `${indent}${ticks}${toCodeInfo(info)}`
      }
      if (fence !== undefined) {
        if (ticks === fence && info === '') fence = undefined
        return line
      }
      return change(line)
    })
    .join('\n')
}

/** Keeps the language, and makes a file name beside it the title of the block: `ts 2-typed.ts`. Other words are for tests. */
function toCodeInfo(info) {
  const [language = '', word = ''] = info.trim().split(/\s+/)
  return word.includes('.') ? `${language} title="${word}"` : language
}

/** A README of a package links to the repository, because its tarball has no other documents. Here they are pages. */
function toLocalTarget(target, { file, paths }) {
  const [start, found = ''] = target.split(/\/(?:blob|tree)\/main\//)
  const isPage = start === repository && paths.has(found.replace(/#.*/, ''))
  return isPage ? posix.relative(dirname(file), found) : target
}

/** Rewrites the links of one line. Code between backticks stays as it is. */
function rewriteLinks(line, file, path, paths) {
  return line
    .split(/(`+[^`]+`+)/)
    .map((part) =>
      part.replaceAll(/(!?)(\[[^\]]*)?\]\(([^)\s]+)\)/g, (whole, image, label = '', target) => {
        const isImage = image === '!'
        return `${image}${label}](${rewriteTarget(target, { file, path, paths, isImage })})`
      }),
    )
    .map((part) =>
      // The sources of a <picture>.
      part.replaceAll(
        /(\b(?:src|srcset)=")(docs\/[^"]+)/g,
        (_, start, target) => start + rewriteTarget(target, { file, path, paths }),
      ),
    )
    .join('')
}

function rewriteTarget(given, { file, path, paths, isImage }) {
  const target = toLocalTarget(given, { file, paths })
  if (/^(?:[a-z]+:|#|mailto:)/.test(target)) return target
  const [address = '', anchor] = target.split('#')
  const found = posix.normalize(posix.join(dirname(file), address)).replace(/\/$/, '')
  const hash = anchor === undefined ? '' : `#${anchor}`
  const page = paths.get(found) ?? paths.get(posix.join(found, 'README.md'))
  if (page !== undefined) return `${toRelative(path, page)}/${hash}`
  const source = join(ROOT, found)
  if (!existsSync(source))
    throw new Error(`${file} links to ${target}, and ${found} does not exist. Correct the link.`)
  // Astro reads a picture in a page from its file; a link to a picture needs its address.
  if (isImage) return relative(dirname(join(CONTENT, `${path}.md`)), source).replaceAll('\\', '/')
  if (found.startsWith('docs/pictures/')) return toRelative(path, `pictures/${basename(found)}`)
  const kind = statSync(source).isDirectory() ? 'tree' : 'blob'
  return `${repository}/${kind}/main/${found}${hash}`
}

/** Returns a link from one page to another. It is relative, so that the site works under any address. */
function toRelative(from, to) {
  return posix.relative(from, to) || '.'
}

/** Writes `llms.txt` (a list of the pages) and `llms-full.txt` (their text). */
function writeForModels(sections, written) {
  const head = `# Toolblocks\n\n> ${manifest.description}\n`
  const lists = sections.map(({ label, pages, groups }) => {
    const all = [...pages, ...groups.flatMap((group) => group.pages)]
    const lines = all.map(({ title, path, text }) => `- [${title}](${path}/): ${describe(text)}`)
    return `## ${label}\n\n${lines.join('\n')}\n`
  })
  write(join(PUBLIC, 'llms.txt'), [head, ...lists].join('\n'))
  const texts = written.map(({ title, body }) => `# ${title}\n\n${body.trim()}\n`)
  write(join(PUBLIC, 'llms-full.txt'), [head, ...texts].join('\n'))
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
