/** Thrown when a cloud assembly cannot be read, or asks for something that the sandbox does not run. */
export class AssemblyError extends Error {
  override readonly name = "AssemblyError";
}
