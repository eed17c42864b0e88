// What all browsers of browsers.js have of ES 2023, of which the library of TypeScript for ES 2022 knows nothing.
interface Array<T> {
  findLast<S extends T>(predicate: (value: T, index: number, array: T[]) => value is S): S | undefined;
  findLast(predicate: (value: T, index: number, array: T[]) => unknown): T | undefined;
  findLastIndex(predicate: (value: T, index: number, array: T[]) => unknown): number;
}

interface ReadonlyArray<T> {
  findLast(predicate: (value: T, index: number, array: readonly T[]) => unknown): T | undefined;
}
