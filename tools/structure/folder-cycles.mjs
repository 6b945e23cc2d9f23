import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * Reads the sources of a package, without tests, benches and support files.
 *
 * @param {string} folder
 * @returns {{ file: string; text: string }[]} Paths relative to the package's `src/`.
 */
export function readSources(folder) {
  const from = join(folder, 'src')
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|bench|support)\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(from, file), 'utf8') }))
}

/**
 * Returns the imports of a module, types included.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function getImports(text) {
  const statements = text.matchAll(/^(?:import '|(?:import|export|\}).*\bfrom ')([^']+)'/gm)
  const expressions = text.matchAll(/\bimport\('([^'$]+)'\)/g)
  return [...statements, ...expressions].map(([, specifier]) => specifier ?? '')
}

/**
 * Finds groups of folders that import each other by any path. Each group has at least two. The folder `src/` itself is one of the folders.
 *
 * @param {{ file: string; text: string }[]} sources
 * @returns {string[][]}
 */
export function findFolderCycles(sources) {
  return getCycles(getGraph(sources, (file) => dirname(file)))
}

/**
 * Finds groups of files that import each other by any path, types included.
 *
 * @param {{ file: string; text: string }[]} sources
 * @returns {string[][]}
 */
export function findFileCycles(sources) {
  return getCycles(getGraph(sources, (file) => file))
}

/**
 * @param {{ file: string; text: string }[]} sources
 * @param {(file: string) => string} placeOf
 * @returns {Map<string, Set<string>>}
 */
function getGraph(sources, placeOf) {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map()
  for (const { file, text } of sources) {
    const from = placeOf(file)
    const to = graph.get(from) ?? new Set()
    graph.set(from, to)
    for (const specifier of getImports(text)) {
      if (!specifier.startsWith('.')) continue
      const target = placeOf(relative('/', resolve('/', dirname(file), specifier)))
      if (target !== from && !target.startsWith('..')) to.add(target)
    }
  }
  return graph
}

/**
 * @param {Map<string, Set<string>>} graph
 * @returns {string[][]}
 */
function getCycles(graph) {
  const reached = new Map([...graph.keys()].map((node) => [node, reachedFrom(graph, node)]))
  const seen = new Set()
  return [...graph.keys()].flatMap((node) => {
    if (seen.has(node) || reached.get(node)?.has(node) !== true) return []
    const group = [...graph.keys()].filter(
      (other) => reached.get(node)?.has(other) === true && reached.get(other)?.has(node) === true,
    )
    for (const each of group) seen.add(each)
    return [group.toSorted()]
  })
}

/**
 * @param {Map<string, Set<string>>} graph
 * @param {string} start
 */
function reachedFrom(graph, start) {
  const reached = new Set()
  const left = [...(graph.get(start) ?? [])]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    left.push(...(graph.get(node) ?? []))
  }
  return reached
}
