// The first file of the tablet: it is small, and brings all the others.
import { fetched } from "./fetched.js";

fetched(() => import("./main.js"));
