// The first module of the tablet. It is small, and imports all others.
import { fetched } from "./fetched.js";

fetched(() => import("./main.js"));
