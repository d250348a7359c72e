import Foundation

struct Departure: Identifiable {
    let id: Int
    let label: String
}

struct Timetable {
    let quay: String
    let departures: [Departure]
}
