export const PATHS = {}
