/** The path below which a service offers its pages. */
export const PAGES_PATH = '/pages/'

/** Returns the address of the page of a question. `origin`: that of the service. */
export function getQuestionPage(origin: string, id: string): string {
  return `${origin}${PAGES_PATH}question?${new URLSearchParams({ id }).toString()}`
}
